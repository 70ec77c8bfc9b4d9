package dev.arenal.agent.sites;

/**
 * One place in a class file that opens confined arenas.
 *
 * @param className the class, with dots
 * @param method the method's name as the class file has it
 * @param descriptor the method's descriptor
 * @param line the line of the source; -1 where the class file does not say
 * @param shape how the method uses the arena
 * @param bytecodeIndex where in the method's code: of the call, or of the instruction that makes
 *     the function of a method reference
 * @param isDisturbed whether it would be try-with-resources, or Kotlin's use, were it not for code
 *     that may throw where compilers put none: code inserted by another tool
 */
public record Site(
    String className,
    String method,
    String descriptor,
    int line,
    SiteShape shape,
    int bytecodeIndex,
    boolean isDisturbed) {}
