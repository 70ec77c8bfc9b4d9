/**
 * Elastic native memory for the JVM: reserved as address space, committed in granules, given back
 * to the operating system when its owners are gone.
 *
 * <p>Needs {@code --enable-native-access=dev.arenal}. Unless a parameter is annotated as nullable,
 * passing null throws a {@link NullPointerException}, and nothing has changed then.
 */
module dev.arenal {
  requires static org.jspecify;
  requires java.management;
  requires static jdk.jfr; // small run-time images do without

  exports dev.arenal;
  exports dev.arenal.memory;
  exports dev.arenal.elastic;
  exports dev.arenal.page;
  exports dev.arenal.pretouch;
  exports dev.arenal.confined;
  exports dev.arenal.stats;
}
