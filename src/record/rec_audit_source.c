/* SPDX-License-Identifier: MIT */
#include "record/rec_audit_source.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(source_reach, "SourceReach", "same_folder", "same_file", "include", "includer")
NF_RECORD_ENUM_TYPE(source_definition_kind, "SourceDefinitionKind", "zero", "otherwise", "undefined")
NF_RECORD_TYPE(source_place, "SourcePlace", NF_ROWS_SOURCE_PLACE)
NF_RECORD_TYPE(source_definition, "SourceDefinition", NF_ROWS_SOURCE_DEFINITION)
NF_RECORD_TYPE(source_macro, "SourceMacro", NF_ROWS_SOURCE_MACRO)
NF_RECORD_TYPE(source_print, "SourcePrint", NF_ROWS_SOURCE_PRINT)
NF_RECORD_TYPE(source_unread, "SourceUnread", NF_ROWS_SOURCE_UNREAD)
NF_RECORD_TYPE(source_files, "SourceFiles", NF_ROWS_SOURCE_FILES)
NF_RECORD_TYPE(audit_source, "AuditSource", NF_ROWS_AUDIT_SOURCE)
/* clang-format on */
