package dev.postern.sidecar.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Version of the running kernel; for messages and for what cannot be tried. */
public record KernelVersion(int major, int minor) implements Comparable<KernelVersion> {

  private static final Path RELEASE = Path.of("/proc/sys/kernel/osrelease");
  private static final Pattern LEADING =
      Pattern.compile("(\\d{1,6})\\.(\\d{1,6}).*", Pattern.DOTALL);
  private static final Comparator<KernelVersion> ORDER =
      Comparator.comparingInt(KernelVersion::major).thenComparingInt(KernelVersion::minor);

  /** The kernel under this process. */
  public static KernelVersion running() {
    try {
      return parse(Files.readString(RELEASE));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + RELEASE, e);
    }
  }

  /** From a release string such as {@code 6.1.0-18-amd64}. */
  static KernelVersion parse(String release) {
    Matcher matcher = LEADING.matcher(release);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a kernel release: " + release.strip());
    }
    return new KernelVersion(
        Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  public boolean atLeast(int otherMajor, int otherMinor) {
    return compareTo(new KernelVersion(otherMajor, otherMinor)) >= 0;
  }

  @Override
  public int compareTo(KernelVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
