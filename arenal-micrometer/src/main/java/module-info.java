/**
 * Arenal's figures as meters of Micrometer.
 *
 * <p>Needs {@code --enable-native-access=dev.arenal}.
 */
module dev.arenal.micrometer {
  requires transitive dev.arenal;
  requires transitive micrometer.core;
  requires static org.jspecify;

  exports dev.arenal.micrometer;
}
