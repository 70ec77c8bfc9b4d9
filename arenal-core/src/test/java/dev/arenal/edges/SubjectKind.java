package dev.arenal.edges;

import dev.arenal.memory.AvailableMemory;
import dev.arenal.pretouch.Pretouch;
import java.util.function.Function;

/** The kinds of objects on which public methods are called. */
enum SubjectKind {
  GROWABLE_SPACE(subjects -> subjects.growable),
  FIXED_SPACE(subjects -> subjects.fixed),
  CONFINED_ARENA(subjects -> subjects.confined),
  SHARED_ARENA(subjects -> subjects.shared),
  SPACE_BUILDER(subjects -> subjects.spaceBuilder),
  SPACE_REPORT(subjects -> subjects.growable.report()),
  SPACE_REPORT_USAGE(subjects -> subjects.growable.report().total()),
  SPACE_REPORT_SETTINGS(subjects -> subjects.growable.report().settings()),
  SPACE_REPORT_CHUNKS(subjects -> subjects.report.chunksInUse().getFirst()),
  SPACE_REPORT_ARENA(subjects -> subjects.report.arenas().getFirst()),
  SPACE_REPORT_NODE(subjects -> subjects.report.nodes().getFirst()),
  PAGES(subjects -> subjects.pages),
  SLOT_BUFFER(subjects -> subjects.slot),
  LARGE_BUFFER(subjects -> subjects.large),
  PAGES_BUILDER(subjects -> subjects.pagesBuilder),
  PAGE_REPORT(subjects -> subjects.pages.report()),
  OPEN_BUFFERS(subjects -> subjects.pages.openBuffers().getFirst()),
  CONFINED_PAGE_ARENA(subjects -> subjects.confinedOfPages),
  SHARED_PAGE_ARENA(subjects -> subjects.sharedOfPages),
  POOLED_ARENA(subjects -> subjects.pooled),
  RESERVED_MEMORY(subjects -> subjects.memory),
  AVAILABLE_MEMORY(_ -> AvailableMemory.now()),
  BUDGET(subjects -> subjects.otherBudget),
  REGISTRATION(subjects -> subjects.registration),
  REFUSAL(subjects -> subjects.refusal),
  PRETOUCH(_ -> Pretouch.all()),
  PRETOUCH_REPORT(subjects -> subjects.pretouchReport),
  STATISTICS_TABLE(subjects -> subjects.recorder.snapshot()),
  STATISTICS_ROW(subjects -> subjects.recorder.snapshot().rows().getFirst()),
  STATISTICS_WINDOW(subjects -> subjects.recorder.snapshot().rows().getFirst().total()),
  STATISTICS_BEAN(subjects -> subjects.bean);

  @SuppressWarnings("ImmutableEnumChecker") // a constructor
  private final Function<Subjects, Object> subject;

  SubjectKind(Function<Subjects, Object> subject) {
    this.subject = subject;
  }

  Object of(Subjects subjects) {
    return subject.apply(subjects);
  }
}
