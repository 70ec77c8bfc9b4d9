package dev.arenal.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.VarHandle;
import org.junit.jupiter.api.Test;

/** The layers of the library, and the calls and types that each may use. */
final class LayersTest {
  private static final String OS = "dev.arenal.os..";
  private static final String GUARD = "dev.arenal.guard..";
  private static final String SUPPLY = "dev.arenal.supply..";
  private static final String TOUCH = "dev.arenal.touch..";

  private static final JavaClasses LIBRARY =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.arenal");

  /**
   * The first use of a handle links it, which a full Java heap prevents: a heap that has given
   * units back already would lose them.
   */
  @Test
  void handles_changeNothing_butWhereTheirFirstUseMayFail() {
    noClasses()
        .that()
        .resideInAPackage("dev.arenal.page..")
        .and()
        .doNotHaveSimpleName("Rack") // unlocks without them, if it must
        .and()
        .doNotHaveSimpleName("PageBuffer") // before anything else
        .should()
        .callCodeUnitWhere(
            DescribedPredicate.describe(
                "a handle that writes",
                call ->
                    call.getTargetOwner().isEquivalentTo(VarHandle.class)
                        && !call.getTarget().getName().equals("getOpaque")))
        .check(LIBRARY);
  }

  /** A layer knows only layers below it; the one above the others is last. */
  @Test
  void layers_areUsedFromAboveOnly() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .withOptionalLayers(true)
        .layer("os")
        .definedBy(OS)
        .layer("memory")
        .definedBy("dev.arenal.memory..")
        .layer("reserve")
        .definedBy("dev.arenal.reserve..")
        .layer("events")
        .definedBy("dev.arenal.events..")
        .layer("elastic")
        .definedBy("dev.arenal.elastic..")
        .layer("page")
        .definedBy("dev.arenal.page..")
        .layer("confined")
        .definedBy("dev.arenal.confined..")
        .layer("stats")
        .definedBy("dev.arenal.stats..")
        .layer("pretouch")
        .definedBy("dev.arenal.pretouch..")
        .layer("touch")
        .definedBy("dev.arenal.touch..")
        .layer("guard")
        .definedBy(GUARD)
        .layer("supply")
        .definedBy(SUPPLY)
        .whereLayer("os") // not by guard, the only one below
        .mayOnlyBeAccessedByLayers(
            "events",
            "stats",
            "pretouch",
            "touch",
            "reserve",
            "memory",
            "supply",
            "elastic",
            "page",
            "confined")
        .whereLayer("confined")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("page")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("elastic")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("memory")
        .mayOnlyBeAccessedByLayers("supply", "elastic", "page", "confined")
        .whereLayer("reserve") // addresses, granules and the count of a budget
        .mayOnlyBeAccessedByLayers("memory", "supply", "elastic", "page")
        .whereLayer("events") // what the flight recorder is told
        .mayOnlyBeAccessedByLayers("stats", "touch", "memory", "supply", "elastic", "page")
        .whereLayer("supply") // memory that goes back, and comes again
        .mayOnlyBeAccessedByLayers("elastic", "page")
        .whereLayer("stats") // counts and prints; an allocator that counts is above it
        .mayOnlyBeAccessedByLayers("elastic", "page", "touch", "memory")
        .whereLayer("touch") // asks for memory and touches it; whose it is, is above
        .mayOnlyBeAccessedByLayers("memory", "supply", "elastic", "page")
        .whereLayer("pretouch") // what to touch, and what came of it
        .mayOnlyBeAccessedByLayers("touch", "memory", "supply", "elastic", "page")
        .because("what is below must be testable without what is above")
        .check(LIBRARY);
  }

  @Test
  void chunksAndFreeBlocks_knowNoArenas() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.arenal.elastic.chunk", "dev.arenal.elastic.block")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.arenal.elastic")
        .because("what arenas are made of must be testable without them")
        .check(LIBRARY);
  }

  @Test
  void granules_knowNoBuffers() {
    noClasses()
        .that()
        .resideInAPackage("dev.arenal.page.granule")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.arenal.page")
        .because("where pages come from must be testable without what is made of them")
        .check(LIBRARY);
  }

  @Test
  void spans_knowNoHeaps() {
    noClasses()
        .that()
        .resideInAPackage("dev.arenal.page.span")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.arenal.page")
        .because("pages as bits must be testable without locks, heaps and buffers")
        .check(LIBRARY);
  }

  @Test
  void granules_knowNoSpans() {
    noClasses()
        .that()
        .resideInAPackage("dev.arenal.page.granule")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.arenal.page.span")
        .because("the supply does not look into pages")
        .check(LIBRARY);
  }

  @Test
  void everyClass_isInALayer() {
    classes()
        .should()
        .resideInAnyPackage(
            OS,
            "dev.arenal", // the error that all have in common
            "dev.arenal.events..",
            "dev.arenal.reserve..",
            "dev.arenal.memory..",
            SUPPLY,
            "dev.arenal.elastic..",
            "dev.arenal.page..",
            "dev.arenal.confined..",
            "dev.arenal.stats..",
            "dev.arenal.pretouch..",
            "dev.arenal.touch..",
            GUARD)
        .because("a new package joins the layers in this test first")
        .check(LIBRARY);
  }

  @Test
  void onlyOs_linksNativeFunctions() {
    noClasses()
        .that()
        .resideOutsideOfPackage(OS)
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Linker.class, SymbolLookup.class)
        .because("native calls have one door: add the function to dev.arenal.os")
        .check(LIBRARY);
  }

  @Test
  void onlyOs_reinterpretsSegments() {
    noClasses()
        .that()
        .resideOutsideOfPackage(OS)
        .should()
        .callCodeUnitWhere(
            com.tngtech.archunit.core.domain.JavaCall.Predicates.target(reinterpret()))
        .because("restricted methods have one door: use what dev.arenal.os offers")
        .check(LIBRARY);
  }

  @Test
  void publicTypes_areClosedForExtension() {
    classes()
        .that()
        .arePublic()
        .and()
        .resideOutsideOfPackages(
            OS,
            TOUCH,
            GUARD,
            SUPPLY,
            "dev.arenal.reserve..",
            "dev.arenal.page.span..",
            "dev.arenal.events..") // which are not exported
        .should(beClosed())
        .because("a type that others can extend cannot keep its promises about memory")
        .allowEmptyShould(true)
        .check(LIBRARY);
  }

  private static DescribedPredicate<CodeUnitCallTarget> reinterpret() {
    return DescribedPredicate.describe(
        "MemorySegment.reinterpret",
        target ->
            target.getName().equals("reinterpret")
                && target.getOwner().isAssignableTo(MemorySegment.class));
  }

  private static ArchCondition<JavaClass> beClosed() {
    return new ArchCondition<>(
        "be final, sealed, a record, an enum, a callback or seen by JMX alone") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        boolean closed =
            type.getModifiers().contains(JavaModifier.FINAL)
                || type.isEnum()
                || type.getSimpleName().endsWith("MXBean") // a sealed one has no proxies
                || type.isAnnotatedWith(FunctionalInterface.class) // only told, never trusted
                || type.reflect().isSealed();
        events.add(
            new SimpleConditionEvent(
                type, closed, type.getName() + " is open: make it final or sealed"));
      }
    };
  }
}
