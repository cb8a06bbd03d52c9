package dev.postern.sidecar.main;

import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.linux.ProcessLimits;
import dev.postern.sidecar.openssl.LibraryMissing;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;

/** Entry point of the sidecar: one clear line and an exit status when it cannot serve. */
public final class Sidecar {

  /** sysexits.h: a library is missing; a fault of our own; the configuration is wrong. */
  private static final int EX_UNAVAILABLE = 69;

  private static final int EX_SOFTWARE = 70;
  private static final int EX_CONFIG = 78;

  private Sidecar() {}

  public static void main(String[] arguments) {
    int status = run(System.getenv());
    if (status != 0) {
      System.exit(status);
    }
  }

  /** Serves; the process then lives until SIGTERM. Not 0: it cannot, and has said why. */
  private static int run(Map<String, String> environment) {
    try {
      ProcessLimits.forbidDumps();
      Settings settings = Settings.from(environment);
      RunningSidecar running = new RunningSidecar(settings, InstantSource.system());
      running.start();
      Runtime.getRuntime().addShutdownHook(new Thread(running::stop, "postern-drain"));
      return 0;
    } catch (SettingRefused | FileRefused e) {
      return refuse(e.getMessage(), EX_CONFIG);
    } catch (LibraryMissing | IoUnavailable e) {
      return refuse(e.getMessage(), EX_UNAVAILABLE);
    } catch (IOException e) {
      return refuse(e.toString(), EX_CONFIG);
    } catch (RuntimeException | Error e) {
      // Workers may run already: without an exit they would serve on with nobody to ask after them.
      e.printStackTrace();
      return refuse("cannot start: " + e, EX_SOFTWARE);
    }
  }

  private static int refuse(String why, int status) {
    System.err.println("postern: " + why);
    return status;
  }
}
