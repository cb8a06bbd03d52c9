{{- define "postern.labels" -}}
app.kubernetes.io/name: postern
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* An image by digest where one is given, else by tag, else of the chart's own version. */ -}}
{{- define "postern.image" -}}
{{- $root := index . 0 }}{{ $image := index . 1 }}
{{- if $image.digest }}{{ $image.repository }}@{{ $image.digest }}{{ else }}{{ $image.repository }}:{{ $image.tag | default $root.Chart.AppVersion }}{{ end -}}
{{- end }}

{{- /* What both commands are told. */ -}}
{{- define "postern.commonArguments" -}}
- --release={{ .Release.Name }}
- --trust-domain={{ .Values.trustDomain }}
- --cluster-domain={{ .Values.clusterDomain }}
- --default-issuer={{ .Values.defaultIssuer }}
- --log-level={{ .Values.logLevel }}
- --log-format={{ .Values.logFormat }}
{{- end }}

{{- define "postern.podSecurity" -}}
runAsNonRoot: true
runAsUser: 15444
runAsGroup: 15444
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "postern.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- define "postern.ownName" -}}
- {name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
- {name: POD_NAMESPACE, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}}
{{- end }}
