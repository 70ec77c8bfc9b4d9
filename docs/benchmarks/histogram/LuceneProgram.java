import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/** An index of some ten thousand documents: written, committed, merged, opened and searched. */
public final class LuceneProgram {
  private static final int COUNT_WORDS = 40;
  private static final int COUNT_READERS = 20;
  private static final int COUNT_QUERIES = 100;

  private LuceneProgram() {}

  /** Takes a folder for the index and the number of documents. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    int countDocuments = Integer.parseInt(arguments[1]);
    long countHits = 0;
    try (Directory directory = new MMapDirectory(folder)) {
      write(directory, countDocuments);
      for (int i = 0; i < COUNT_READERS; i++) {
        countHits += search(directory);
      }
    }
    System.out.println("hits: " + countHits);
  }

  private static void write(Directory directory, int countDocuments) throws Exception {
    Random random = new Random(1);
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setMaxBufferedDocs(1000);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 1; i <= countDocuments; i++) {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < COUNT_WORDS; k++) {
          // Few words are frequent and many are rare.
          text.append('w').append((int) Math.pow(30 * random.nextDouble(), 3)).append(' ');
        }
        Document document = new Document();
        document.add(new TextField("text", text.toString(), Field.Store.YES));
        writer.addDocument(document);
        if (i % 10_000 == 0) {
          writer.commit();
        }
      }
    }
  }

  private static long search(Directory directory) throws Exception {
    long countHits = 0;
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      for (int i = 0; i < COUNT_QUERIES; i++) {
        countHits += searcher.search(new TermQuery(new Term("text", "w" + i)), 10).scoreDocs.length;
      }
    }
    return countHits;
  }
}
