/**
 * What each injected workload gets: its identity (a Certificate), its policy and its namespace's
 * trust (ConfigMaps). One namespace is looked at as a whole; the plan for it is a pure function.
 */
package dev.postern.operator.workload;
