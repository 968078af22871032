/* SPDX-License-Identifier: MIT */
#include "record/rec_audit_log.h"

/* clang-format off */
NF_RECORD_TYPE(audit_log_phase, "AuditLogPhase", NF_ROWS_AUDIT_LOG_PHASE)
NF_RECORD_TYPE(audit_log_line, "AuditLogLine", NF_ROWS_AUDIT_LOG_LINE)
NF_RECORD_TYPE(audit_log, "AuditLog", NF_ROWS_AUDIT_LOG)
/* clang-format on */
