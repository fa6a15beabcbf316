package dev.cuzk;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The package law: packages stand on floors and use only what stands on lower ones. */
class PackageLawTest {
  private static final String ROOT = "dev.cuzk.";

  private static final Map<String, Integer> FLOORS =
      Map.ofEntries(
          Map.entry("cli", 7),
          Map.entry("batch", 6),
          Map.entry("bench", 6),
          Map.entry("setup", 6),
          Map.entry("engine", 5),
          Map.entry("synthesis", 4),
          Map.entry("device", 4),
          Map.entry("report", 4),
          Map.entry("circuit", 3),
          Map.entry("key", 3),
          Map.entry("proof", 2),
          Map.entry("format", 1),
          Map.entry("math", 0),
          Map.entry("memory", 0));

  private static final DescribedPredicate<JavaClass> NATIVE_BINDINGS =
      resideInAPackage("com.sun.jna..").or(resideInAPackage("jcuda.."));

  private static JavaClasses product;

  @BeforeAll
  static void importClasses() {
    product =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.cuzk");
  }

  @Test
  void shouldUseOnlyLowerFloors() {
    classes().should(useOnlyLowerFloors()).check(product);
  }

  @Test
  void shouldKnowAllPackages() {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : product) {
      found.add(room(type));
    }
    found.removeAll(FLOORS.keySet());
    assertEquals(Set.of(), found, "packages without a floor");
  }

  @Test
  void shouldLockTheDevicePathWithMeteredLocksOnly() {
    noClasses()
        .that()
        .resideInAPackage("dev.cuzk.engine")
        .and()
        .haveNameNotMatching(".*SystemScheduler.*")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.util.concurrent.locks")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(java.util.concurrent.LinkedBlockingQueue.class)
        .check(product);
  }

  @Test
  void shouldTouchNativeBindingsOnlyInDevice() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.cuzk.device..")
        .should()
        .dependOnClassesThat(NATIVE_BINDINGS)
        .check(product);
  }

  @Test
  void shouldKeepDevicesFromBatch() {
    forbid("batch", resideInAPackage("dev.cuzk.device.."));
  }

  @Test
  void shouldKeepJobsFromSetup() {
    forbid("setup", resideInAPackage("dev.cuzk.engine.."));
  }

  @Test
  void shouldKeepFileFormatsFromEngine() {
    forbid("engine", fileFormats());
  }

  @Test
  void shouldKeepCircuitsAndUserFilesFromDevice() {
    forbid("device", resideInAPackage("dev.cuzk.circuit..").or(fileFormats()));
  }

  @Test
  void shouldKeepEverythingButPlainDataFromReport() {
    forbid(
        "report",
        resideInAPackage("dev.cuzk..")
            .and(DescribedPredicate.not(resideInAPackage("dev.cuzk.report..")))
            .and(DescribedPredicate.not(type(CurveId.class))));
  }

  @Test
  void shouldKeepProvingFromCommands() {
    forbid(
        "cli",
        resideInAPackage("dev.cuzk.math..").and(DescribedPredicate.not(type(CurveId.class))));
  }

  private static DescribedPredicate<JavaClass> fileFormats() {
    return resideInAPackage("dev.cuzk.format..")
        .and(DescribedPredicate.not(type(InputException.class)))
        .and(DescribedPredicate.not(type(FileRange.class)));
  }

  private static void forbid(String room, DescribedPredicate<? super JavaClass> types) {
    noClasses()
        .that()
        .resideInAPackage(ROOT + room + "..")
        .should()
        .dependOnClassesThat(DescribedPredicate.<JavaClass>alwaysTrue().and(types))
        .allowEmptyShould(true)
        .check(product);
  }

  private static String room(JavaClass type) {
    String name = type.getPackageName();
    if (!name.startsWith(ROOT)) {
      return "";
    }
    String rest = name.substring(ROOT.length());
    int dot = rest.indexOf('.');
    return dot < 0 ? rest : rest.substring(0, dot);
  }

  private static ArchCondition<JavaClass> useOnlyLowerFloors() {
    return new ArchCondition<>("use only packages on lower floors") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        Integer own = FLOORS.get(room(type));
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          String other = room(dependency.getTargetClass());
          Integer floor = FLOORS.get(other);
          if (own == null || floor == null || other.equals(room(type)) || floor < own) {
            continue;
          }
          events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
        }
      }
    };
  }
}
