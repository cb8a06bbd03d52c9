/** How the operator speaks about its objects: conditions and events. */
package dev.postern.operator.status;
