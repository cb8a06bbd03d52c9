package dev.postern.sidecar.io.uring;

import dev.postern.sidecar.testing.CProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A real seccomp filter under which a Java program of a test runs: denied calls end in EPERM. */
enum Denial {
  /** As container runtimes deny them: io_uring_setup to io_uring_register. */
  OF_ALL_CALLS(
      """
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 425, 0, 2),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 427, 1, 0),
      ANSWER(SECCOMP_RET_ERRNO | EPERM),
      """),
  /** Only the opcode IORING_REGISTER_RING_FDS of io_uring_register. */
  OF_REGISTERED_RINGS(
      """
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 427, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 20, 0, 1),
      ANSWER(SECCOMP_RET_ERRNO | EPERM),
      """);

  private final String instructions;

  Denial(String instructions) {
    this.instructions = instructions;
  }

  /** What {@code main} prints under the filter. */
  String run(Path folder, Class<?> main) throws IOException, InterruptedException {
    String source = PROGRAM.replace("INSTRUCTIONS", instructions);
    return CProgram.compile(folder, "deny", source)
        .run(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
  }

  private static final String PROGRAM =
      """
      #include <errno.h>
      #include <linux/filter.h>
      #include <linux/seccomp.h>
      #include <stddef.h>
      #include <stdio.h>
      #include <sys/prctl.h>
      #include <unistd.h>
      #define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, (action))
      int main(int argc, char **argv) {
        struct sock_filter code[] = {
          BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
          INSTRUCTIONS
          ANSWER(SECCOMP_RET_ALLOW),
        };
        struct sock_fprog program = { sizeof code / sizeof *code, code };
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) { perror("no_new_privs"); return 1; }
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) { perror("seccomp"); return 1; }
        execv(argv[1], argv + 1);
        perror("exec");
        return 1;
      }
      """;
}
