package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.crds.Api;
import java.util.List;

/**
 * What is put into a pod, written with every default of the API server, so that the admitted pod
 * can be compared field by field.
 *
 * @param settings the administrator's part
 * @param annotations the user's part
 * @param pod the names that the cluster gave
 * @param ports of the app
 * @param probes value of POSTERN_PROBES
 */
record SidecarParts(
    InjectionSettings settings,
    PodAnnotations annotations,
    PodNames pod,
    AppPorts ports,
    String probes) {

  static final String SIDECAR = "postern";
  static final String REDIRECT = "postern-redirect";
  static final int TLS_PORT = 15443;
  static final int ADMIN_PORT = 15090;

  /** Own UID and GID of the sidecar; no other container may take it. */
  static final int UID = 15443;

  static final String PROBES_VARIABLE = "POSTERN_PROBES";

  /** What the app's containers decide; all else follows from settings, annotations and names. */
  static final List<String> APP_VARIABLES =
      List.of("POSTERN_PORTS", "POSTERN_UDP_PORTS", PROBES_VARIABLE);

  /**
   * @param workload as the label postern.dev/workload says
   * @param identitySecret that holds its key pair
   * @param serviceAccount of the pod
   */
  record PodNames(String workload, String identitySecret, String serviceAccount) {}

  ObjectNode redirect() {
    return Json.object(
        "name", REDIRECT,
        "image", settings.sidecarImage(),
        "imagePullPolicy", settings.imagePullPolicy(),
        "command", Json.array("postern-redirect"),
        "env",
            Json.array(
                variable("POSTERN_UDP_PORTS", AppPorts.joined(ports.udp())),
                variable("POSTERN_TLS_PORT", TLS_PORT),
                variable("POSTERN_ADMIN_PORT", ADMIN_PORT)),
        "resources", resources(),
        "securityContext", redirectSecurity(),
        "terminationMessagePath", "/dev/termination-log",
        "terminationMessagePolicy", "FallbackToLogsOnError");
  }

  ObjectNode sidecar() {
    return Json.object(
        "name", SIDECAR,
        "image", settings.sidecarImage(),
        "imagePullPolicy", settings.imagePullPolicy(),
        "restartPolicy", "Always",
        "env", sidecarEnv(),
        "ports", Json.array(port("postern-tls", TLS_PORT), port("postern-admin", ADMIN_PORT)),
        "resources", resources(),
        "securityContext", sidecarSecurity(),
        // 120 s to start on a crowded node; then three missed looks, or five for a restart.
        "startupProbe", probe("startup", 1, 120),
        "readinessProbe", probe("ready", 2, 3),
        "livenessProbe", probe("live", 10, 5),
        "lifecycle",
            Json.object(
                "preStop",
                Json.object("exec", Json.object("command", Json.array("postern", "drain")))),
        "volumeMounts", mounts(),
        "terminationMessagePath", "/dev/termination-log",
        "terminationMessagePolicy", "FallbackToLogsOnError");
  }

  /** None is optional: without key, trust and policy the sidecar does not start. */
  List<ObjectNode> volumes() {
    return List.of(
        Json.object(
            "name",
            "postern-identity",
            "secret",
            Json.object("secretName", pod.identitySecret(), "defaultMode", 0444)),
        configMap("postern-trust", Api.TRUST_CONFIG_MAP),
        configMap("postern-policy", Api.policyName(pod.workload())),
        Json.object("name", "postern-run", "emptyDir", Json.object()));
  }

  /** Value of the annotation postern.dev/status. */
  String status() {
    return Json.object(
            "version", settings.version(),
            "capture", "redirect",
            "image", settings.sidecarImage(),
            "workload", pod.workload(),
            "serviceAccount", pod.serviceAccount())
        .toString();
  }

  private ArrayNode sidecarEnv() {
    return Json.array(
        variable("POSTERN_CAPTURE", "redirect"),
        variable("POSTERN_PORTS", AppPorts.joined(ports.tcp())),
        variable("POSTERN_LOOPBACK_PORTS", AppPorts.joined(ports.loopback())),
        variable("POSTERN_TLS_PORT", TLS_PORT),
        variable("POSTERN_ADMIN_PORT", ADMIN_PORT),
        variable(PROBES_VARIABLE, probes),
        variable("POSTERN_LOG_LEVEL", annotations.logLevel()),
        Json.object(
            "name",
            "POSTERN_POD_IP",
            "valueFrom",
            Json.object("fieldRef", Json.object("apiVersion", "v1", "fieldPath", "status.podIP"))));
  }

  private ObjectNode resources() {
    String cpu = annotations.cpu().orElse(settings.cpuRequest());
    String request = annotations.memory().orElse(settings.memoryRequest());
    String limit = annotations.memory().orElse(settings.memoryLimit());
    return Json.object(
        "requests",
        Json.object("cpu", cpu, "memory", request),
        "limits",
        Json.object("memory", limit));
  }

  private ObjectNode redirectSecurity() {
    return Json.object(
        "allowPrivilegeEscalation",
        false,
        "capabilities",
        Json.object("drop", Json.array("ALL"), "add", Json.array("NET_ADMIN")),
        "privileged",
        false,
        "readOnlyRootFilesystem",
        true,
        // A capability needs UID 0 here; the pod's own runAsNonRoot must not forbid it.
        "runAsNonRoot",
        false,
        "runAsUser",
        0,
        "runAsGroup",
        0,
        "seccompProfile",
        Json.object("type", "RuntimeDefault"));
  }

  private ObjectNode sidecarSecurity() {
    return Json.object(
        "allowPrivilegeEscalation",
        false,
        "capabilities",
        Json.object("drop", Json.array("ALL")),
        "privileged",
        false,
        "readOnlyRootFilesystem",
        true,
        "runAsNonRoot",
        true,
        "runAsUser",
        UID,
        "runAsGroup",
        UID,
        "seccompProfile",
        seccomp());
  }

  private ObjectNode seccomp() {
    String profile = settings.seccompProfile();
    int slash = profile.indexOf('/');
    return slash < 0
        ? Json.object("type", profile)
        : Json.object("type", "Localhost", "localhostProfile", profile.substring(slash + 1));
  }

  private static ArrayNode mounts() {
    return Json.array(
        readOnly("postern-identity", "identity"),
        readOnly("postern-trust", "trust"),
        readOnly("postern-policy", "policy"),
        Json.object("name", "postern-run", "mountPath", "/var/run/postern/run"));
  }

  private static JsonNode readOnly(String volume, String folder) {
    return Json.object("name", volume, "mountPath", "/var/run/postern/" + folder, "readOnly", true);
  }

  private static ObjectNode configMap(String volume, String name) {
    return Json.object("name", volume, "configMap", Json.object("name", name, "defaultMode", 0444));
  }

  private static ObjectNode probe(String what, int periodSeconds, int failureThreshold) {
    return Json.object(
        "httpGet",
        Json.object("path", "/healthz/" + what, "port", ADMIN_PORT, "scheme", "HTTP"),
        "timeoutSeconds",
        2,
        "periodSeconds",
        periodSeconds,
        "successThreshold",
        1,
        "failureThreshold",
        failureThreshold);
  }

  private static ObjectNode port(String name, int number) {
    return Json.object("name", name, "containerPort", number, "protocol", "TCP");
  }

  private static ObjectNode variable(String name, Object value) {
    return Json.object("name", name, "value", value.toString());
  }
}
