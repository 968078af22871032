/* SPDX-License-Identifier: MIT */
#include "record/rec_audit.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(audit_target, "AuditTarget", "unknown", "terminal", "serial", "pipe", "file", "socket", "device",
	"null", "other")
NF_RECORD_TYPE(audit_io, "AuditIo", NF_ROWS_AUDIT_IO)
NF_RECORD_TYPE(audit_sums, "AuditSums", NF_ROWS_AUDIT_SUMS)
NF_RECORD_TYPE(audit_region, "AuditRegion", NF_ROWS_AUDIT_REGION)
NF_RECORD_TYPE(audit_call, "AuditCall", NF_ROWS_AUDIT_CALL)
NF_RECORD_TYPE(audit_trace, "AuditTrace", NF_ROWS_AUDIT_TRACE)
NF_RECORD_TYPE(audit_run, "AuditRun", NF_ROWS_AUDIT_RUN)
/* clang-format on */
