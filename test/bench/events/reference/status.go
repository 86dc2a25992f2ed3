package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func condition(kind string, is bool, reason, message string) metav1.Condition {
	status := metav1.ConditionFalse
	if is {
		status = metav1.ConditionTrue
	}
	return metav1.Condition{Type: kind, Status: status, Reason: reason, Message: message}
}

// conditionsOf tells the same stages as SampleDB's report does.
func conditionsOf(db *SampleDB, all *children) []metav1.Condition {
	bound := all.claim.Status.Phase == corev1.ClaimBound
	serving := isServing(&all.set)
	done := all.claim.Annotations[initDone] != ""
	provisioned := condition("Provisioned", true, "Provisioned", "Every child exists.")
	inited := condition("Initialized", done, "Initialized", "Role and database exist.")
	ready := condition("Ready", true, "DatabaseReady", fmt.Sprintf("PostgreSQL answers at %s.%s.svc:%d.", db.Name, db.Namespace, port))
	if !done {
		inited = condition("Initialized", false, "WaitingForInit", "The init Job runs.")
		ready = condition("Ready", false, "WaitingForInit", "The init Job runs.")
	}
	if !serving {
		ready = condition("Ready", false, "WaitingForDatabase", "PostgreSQL does not answer yet.")
	}
	if !serving && !done {
		inited = condition("Initialized", false, "WaitingForDatabase", "The database has to run first.")
	}
	if !bound {
		provisioned = condition("Provisioned", false, "Provisioning", "Waiting for the volume.")
		ready = condition("Ready", false, "Provisioning", "Waiting for the volume.")
	}
	isReady := ready.Status == metav1.ConditionTrue
	return []metav1.Condition{
		ready,
		condition("Reconciling", !isReady, ready.Reason, ready.Message),
		condition("Stalled", false, "NotStalled", "There is nothing that you must do."),
		provisioned,
		inited,
	}
}

// fillStatus brings the status in order and gives the turns that are worth an event: each of Ready, and the concerns that are done.
func fillStatus(db *SampleDB, all *children) []metav1.Condition {
	var turns []metav1.Condition
	for _, next := range conditionsOf(db, all) {
		before := meta.FindStatusCondition(db.Status.Conditions, next.Type)
		turned := before == nil || before.Status != next.Status || before.Reason != next.Reason
		done := (next.Type == "Provisioned" || next.Type == "Initialized") && next.Status == metav1.ConditionTrue
		if turned && (next.Type == "Ready" || done) {
			turns = append(turns, next)
		}
		next.ObservedGeneration = db.Generation
		meta.SetStatusCondition(&db.Status.Conditions, next)
	}
	db.Status.ObservedGeneration = db.Generation
	db.Status.Binding = &Binding{Name: db.Name}
	db.Status.Endpoint = fmt.Sprintf("%s.%s.svc:%d", db.Name, db.Namespace, port)
	db.Status.Version = or(db.Spec.Version, "17")
	db.Status.Storage = &StatusStorage{Claim: all.claim.Name}
	if capacity := all.claim.Status.Capacity.Storage(); !capacity.IsZero() {
		db.Status.Storage.Capacity = capacity.String()
	}
	return turns
}
