package dev.arenal.os;

/** Names of the error numbers that the calls of {@link OperatingSystem} can return on Linux. */
public final class Errno {
  public static final int EPERM = 1;
  public static final int ENOSYS = 38;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EFAULT = 14;
  public static final int EEXIST = 17;
  public static final int EINVAL = 22;
  public static final int ECANCELED = 125;
  public static final int ENOTRECOVERABLE = 131;

  /** Not the kernel's: Arenal does not ask it, since the program needs the remaining mappings. */
  public static final int TOO_MANY_MAPPINGS = 4000;

  private Errno() {}

  /** For example {@code ENOMEM (12)}; takes the number as it is or negated. */
  public static String name(long errno) {
    int number = (int) Math.abs(errno);
    return word(number) + " (" + number + ")";
  }

  /** No map of them: it would be made at the first use of the library, and is needed by none. */
  private static String word(int number) {
    return switch (number) {
      case EPERM -> "EPERM";
      case EAGAIN -> "EAGAIN";
      case ENOMEM -> "ENOMEM";
      case EFAULT -> "EFAULT";
      case EEXIST -> "EEXIST";
      case EINVAL -> "EINVAL";
      case ENOSYS -> "ENOSYS";
      case ECANCELED -> "ECANCELED";
      case ENOTRECOVERABLE -> "ENOTRECOVERABLE";
      case TOO_MANY_MAPPINGS -> "TOO_MANY_MAPPINGS";
      default -> "errno";
    };
  }
}
