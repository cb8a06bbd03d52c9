# shellcheck shell=bash
# JDK 25 and Maven of the machine, or Debian 13's; the jars of the project.

readonly JDK_NEEDED=25

# Sets JAVA_HOME to a JDK that is new enough, and installs it where apt has it.
need_java() {
  need_packages maven
  local home
  for home in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
    if is_new_enough_jdk "$home"; then
      export JAVA_HOME=$home
      return
    fi
  done
  install_jdk
  export JAVA_HOME=/usr/lib/jvm/java-$JDK_NEEDED-openjdk-$(dpkg --print-architecture)
}

is_new_enough_jdk() {
  local home=$1 version
  if [[ ! -x $home/bin/javac ]]; then return 1; fi
  version=$("$home/bin/javac" -version 2>/dev/null) || return 1
  [[ $version =~ ^javac\ ([0-9]+) ]] && ((BASH_REMATCH[1] >= JDK_NEEDED))
}

install_jdk() {
  local package=openjdk-$JDK_NEEDED-jdk-headless
  if ! is_debian || [[ $(debian_codename) == bookworm ]]; then
    fail_missing "JDK $JDK_NEEDED is missing (Debian 13 has it as $package): set JAVA_HOME to one"
  fi
  need_packages "$package"
}

# maven ARGUMENT...: Maven in the project's root, in plain text.
maven() { mvn --batch-mode --no-transfer-progress -Dstyle.color=never --file "$ROOT_DIR/pom.xml" "$@"; }

# The jars that go into the images, without tests: those are a command of their own.
build_jars() { maven --quiet --projects sidecar,operator --also-make -DskipTests -Dspotless.check.skip package; }
