/**
 * Puts pooled confined arenas behind the call sites of {@code Arena.ofConfined()} in programs that
 * are not recompiled, counts what their arenas allocate, and finds such sites in class files. Puts
 * page allocators behind Netty's.
 *
 * <p>As an agent it runs from the class path, where this descriptor says nothing.
 */
@SuppressWarnings("module") // the lab is built after the agent
module dev.arenal.agent {
  requires dev.arenal;
  requires java.instrument;
  requires static org.jspecify;

  exports dev.arenal.agent.sites to
      dev.arenal.lab;
  exports dev.arenal.agent.histogram to
      dev.arenal.lab;

  // The lab has records of it made of JSON.
  opens dev.arenal.agent.histogram to
      com.fasterxml.jackson.databind;
}
