package main

import (
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
)

const (
	port     = 5432
	label    = "sampledb.dev/database"
	initDone = "sampledb.dev/init-scripts"
	// initialized is both the claim's annotation and what the start script is told.
	initialized = "sampledb.dev/initialized"
	image       = "docker.io/library/postgres:17"
	sockets     = "/var/run/postgresql"
)

// As long as the scripts that SampleDB's functions write.
var (
	startScript = strings.Repeat("# start\n", 450)
	initScript  = strings.Repeat("# init\n", 800)
)

func labelsOf(db *SampleDB) map[string]string {
	return map[string]string{
		label:                          db.Name,
		"app.kubernetes.io/name":       "postgresql",
		"app.kubernetes.io/instance":   db.Name,
		"app.kubernetes.io/managed-by": "reference",
	}
}

func selectorOf(db *SampleDB) map[string]string {
	return map[string]string{label: db.Name, "sampledb.dev/role": "primary"}
}

func or(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}

func fillOwnerSecret(db *SampleDB, secret *corev1.Secret) {
	secret.Type = "servicebinding.io/postgresql"
	if len(secret.Data["password"]) > 0 {
		return
	}
	host := fmt.Sprintf("%s.%s.svc", db.Name, db.Namespace)
	database, owner, password := or(db.Spec.Database.Name, "app"), or(db.Spec.Database.Owner, "app"), rand.Text()
	secret.Data = map[string][]byte{
		"type": []byte("postgresql"), "provider": []byte("sampledb"), "host": []byte(host), "port": []byte("5432"),
		"database": []byte(database), "username": []byte(owner), "password": []byte(password),
		"uri": fmt.Appendf(nil, "postgresql://%s:%s@%s:%d/%s", owner, password, host, port, database),
	}
}

func fillSuperuserSecret(secret *corev1.Secret) {
	secret.Type = corev1.SecretTypeBasicAuth
	if len(secret.Data["password"]) == 0 {
		secret.Data = map[string][]byte{"username": []byte("postgres"), "password": []byte(rand.Text())}
	}
}

func fillService(db *SampleDB, service *corev1.Service, headless bool) {
	service.Spec.Type = corev1.ServiceTypeClusterIP
	service.Spec.Selector = selectorOf(db)
	service.Spec.Ports = []corev1.ServicePort{
		{Name: "postgresql", Protocol: corev1.ProtocolTCP, Port: port, TargetPort: intstr.FromString("postgresql")},
	}
	if headless {
		service.Spec.ClusterIP = corev1.ClusterIPNone
		service.Spec.PublishNotReadyAddresses = true
	}
}

func fillConfig(config *corev1.ConfigMap, initialized bool) {
	config.Data = map[string]string{"start.sh": startScript, "initialized": strconv.FormatBool(initialized)}
}

func fillBudget(db *SampleDB, budget *policyv1.PodDisruptionBudget) {
	budget.Spec.MaxUnavailable = ptr.To(intstr.FromInt32(1))
	budget.Spec.UnhealthyPodEvictionPolicy = ptr.To(policyv1.AlwaysAllow)
	budget.Spec.Selector = &metav1.LabelSelector{MatchLabels: selectorOf(db)}
}

func fillClaim(db *SampleDB, claim *corev1.PersistentVolumeClaim) {
	if claim.UID != "" {
		return
	}
	claim.Spec = corev1.PersistentVolumeClaimSpec{
		AccessModes:      []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		StorageClassName: db.Spec.Storage.StorageClassName,
		Resources: corev1.VolumeResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(or(db.Spec.Storage.Size, "1Gi"))},
		},
	}
}

func podSecurity() *corev1.PodSecurityContext {
	return &corev1.PodSecurityContext{
		RunAsNonRoot: ptr.To(true), RunAsUser: ptr.To(int64(999)), RunAsGroup: ptr.To(int64(999)), FSGroup: ptr.To(int64(999)),
		SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
	}
}

func containerSecurity() *corev1.SecurityContext {
	return &corev1.SecurityContext{
		AllowPrivilegeEscalation: ptr.To(false), ReadOnlyRootFilesystem: ptr.To(true),
		Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
	}
}

func password(name, secret string) corev1.EnvVar {
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
		LocalObjectReference: corev1.LocalObjectReference{Name: secret}, Key: "password",
	}}}
}

func probe(period, timeout, failures int32) *corev1.Probe {
	command := []string{"pg_isready", "--quiet", "--host=" + sockets, "--username=postgres", "--dbname=postgres"}
	return &corev1.Probe{
		ProbeHandler:  corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: command}},
		PeriodSeconds: period, TimeoutSeconds: timeout, FailureThreshold: failures, SuccessThreshold: 1,
	}
}

func resourcesOf(db *SampleDB) corev1.ResourceRequirements {
	requests := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("256Mi"),
	}
	for name, amount := range db.Spec.Resources.Requests {
		requests[name] = amount
	}
	return corev1.ResourceRequirements{Requests: requests, Limits: corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("1"), corev1.ResourceMemory: resource.MustParse("512Mi"),
	}}
}

func database(db *SampleDB) corev1.PodTemplateSpec {
	labels := labelsOf(db)
	labels["sampledb.dev/role"] = "primary"
	labels["sampledb.dev/instance"] = "1"
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: labels},
		Spec: corev1.PodSpec{
			AutomountServiceAccountToken: ptr.To(false), EnableServiceLinks: ptr.To(false),
			TerminationGracePeriodSeconds: ptr.To(int64(120)), SecurityContext: podSecurity(),
			Containers: []corev1.Container{{
				Name: "postgres", Image: image, ImagePullPolicy: corev1.PullIfNotPresent,
				Command: []string{"bash", "/etc/sampledb/start.sh"},
				Env: []corev1.EnvVar{
					{Name: "PGDATA", Value: "/data/pgdata"}, {Name: "SAMPLEDB_VERSION", Value: or(db.Spec.Version, "17")},
					password("SUPERUSER_PASSWORD", db.Name+"-superuser"),
				},
				Ports:        []corev1.ContainerPort{{Name: "postgresql", ContainerPort: port, Protocol: corev1.ProtocolTCP}},
				Resources:    resourcesOf(db),
				StartupProbe: probe(1, 5, 86400), ReadinessProbe: probe(5, 5, 3), LivenessProbe: probe(10, 15, 6),
				SecurityContext: containerSecurity(), TerminationMessagePolicy: corev1.TerminationMessageFallbackToLogsOnError,
				VolumeMounts: []corev1.VolumeMount{
					{Name: "data", MountPath: "/data"}, {Name: "config", MountPath: "/etc/sampledb", ReadOnly: true},
					{Name: "sockets", MountPath: sockets}, {Name: "tmp", MountPath: "/tmp"}, {Name: "shm", MountPath: "/dev/shm"},
				},
			}},
			Volumes: []corev1.Volume{
				{Name: "data", VolumeSource: corev1.VolumeSource{
					PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: db.Name + "-1-1"}}},
				{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
					LocalObjectReference: corev1.LocalObjectReference{Name: db.Name}}}},
				{Name: "sockets", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
				{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
				{Name: "shm", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMediumMemory}}},
			},
		},
	}
}

func initJobSpec(db *SampleDB) batchv1.JobSpec {
	labels := labelsOf(db)
	labels["sampledb.dev/role"] = "init"
	return batchv1.JobSpec{
		BackoffLimit: ptr.To(int32(6)), ActiveDeadlineSeconds: ptr.To(int64(3600)), TTLSecondsAfterFinished: ptr.To(int32(600)),
		Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: labels},
			Spec: corev1.PodSpec{
				RestartPolicy: corev1.RestartPolicyNever, AutomountServiceAccountToken: ptr.To(false),
				EnableServiceLinks: ptr.To(false), SecurityContext: podSecurity(),
				Containers: []corev1.Container{{
					Name: "init", Image: image, Command: []string{"bash", "-c"}, Args: []string{initScript},
					Env: []corev1.EnvVar{
						{Name: "PGHOST", Value: fmt.Sprintf("%s.%s.svc", db.Name, db.Namespace)},
						{Name: "DATABASE_NAME", Value: or(db.Spec.Database.Name, "app")},
						{Name: "DATABASE_OWNER", Value: or(db.Spec.Database.Owner, "app")},
						password("OWNER_PASSWORD", db.Name), password("SUPERUSER_PASSWORD", db.Name+"-superuser"),
					},
					SecurityContext: containerSecurity(),
					VolumeMounts:    []corev1.VolumeMount{{Name: "tmp", MountPath: "/tmp"}},
				}},
				Volumes: []corev1.Volume{{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
			},
		},
	}
}
