/**
 * Elastic native memory for the JVM. Address space is reserved; memory is committed in granules,
 * and goes back to the operating system when its owners are gone.
 *
 * <p>Needs {@code --enable-native-access=dev.arenal}. Passing null for a parameter that is not
 * annotated as nullable throws a {@link NullPointerException} and changes nothing.
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
