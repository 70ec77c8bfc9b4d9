package dev.arenal.lab.process;

import java.io.IOException;
import java.nio.file.NoSuchFileException;

/** Does what it is asked for, in a process of its own. */
record AskedWork(Behaviour behaviour, double figure) implements Work<AskedWork.Answer> {
  enum Behaviour {
    ANSWERS,
    HAS_NO_FILE,
    IS_REFUSED,
    IS_WRONG,
    SLEEPS
  }

  record Answer(double figure, long pid) {}

  @Override
  public Answer run() throws IOException, InterruptedException {
    switch (behaviour) {
      case HAS_NO_FILE -> throw new NoSuchFileException("a-path");
      case IS_REFUSED -> throw new IOException("refused: figure=" + figure);
      case IS_WRONG ->
          throw new IllegalStateException("a fault", new IndexOutOfBoundsException("index=1"));
      case SLEEPS -> {
        System.out.println("asleep");
        Thread.sleep(300_000);
      }
      case ANSWERS -> {}
    }
    return new Answer(figure, ProcessHandle.current().pid());
  }
}
