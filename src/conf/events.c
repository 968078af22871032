/* SPDX-License-Identifier: MIT */
#include "conf/events.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

int nf_conf_refuse_at(const char *label, struct nf_conf_pos at, struct nf_err *err, const char *fmt,
                      ...)
{
	char what[sizeof(err->msg)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return nf_fail(err, NF_EDATA, "%.200s:%u:%u: %s", label, at.line, at.column, what);
}

/* --- the bytes --- */

/* What a file may hold (YAML 1.2.2, section 5.1), less the line ends that only YAML 1.1 takes for some: lines
 * are counted as editors do. */
static bool printable(uint32_t cp)
{
	return cp == '\t' || (cp >= 0x20 && cp <= 0x7e) ||
	       (cp >= 0xa0 && cp <= 0xfffd && cp != 0x2028 && cp != 0x2029 && cp != 0xfeff) ||
	       cp >= 0x10000;
}

static int look_at_bytes(const char *label, const char *p, size_t n, struct nf_err *err)
{
	struct nf_conf_pos at = { 1, 1 };

	while (n > 0) {
		uint32_t cp;
		int bad;
		size_t took = nf_utf8_next(p, n, &cp, &bad);
		bool crlf = cp == '\r' && n > 1 && p[1] == '\n';

		if (bad)
			return nf_conf_refuse_at(label, at, err,
			                         "the byte 0x%02x is not UTF-8; allowed: UTF-8",
			                         (unsigned)(unsigned char)*p);
		if (cp != '\n' && !crlf && !printable(cp))
			return nf_conf_refuse_at(label, at, err,
			                         "the character U+%04X; allowed: printable text, "
			                         "tabs, line ends of LF or CRLF",
			                         (unsigned)cp);
		if (cp == '\n') {
			at.line++;
			at.column = 1;
		} else {
			at.column++;
		}
		p += took;
		n -= took;
	}
	return 0;
}

/* --- events --- */

static struct nf_conf_pos pos_of(yaml_mark_t m)
{
	return (struct nf_conf_pos){ (uint32_t)m.line + 1, (uint32_t)m.column + 1 };
}

static int not_yaml(const struct nf_conf_events *e, struct nf_err *err)
{
	const yaml_parser_t *p = &e->parser;

	if (p->error == YAML_MEMORY_ERROR)
		return nf_fail_nomem(err, "the parser of a YAML file", sizeof(*p));
	if (p->context)
		return nf_conf_refuse_at(e->label, pos_of(p->problem_mark), err,
		                         "not YAML: %s (%s from line %zu on); allowed: YAML 1.1",
		                         p->problem ? p->problem : "unknown", p->context,
		                         p->context_mark.line + 1);
	return nf_conf_refuse_at(e->label, pos_of(p->problem_mark), err,
	                         "not YAML: %s; allowed: YAML 1.1",
	                         p->problem ? p->problem : "unknown");
}

static int step(struct nf_conf_events *e, struct nf_err *err)
{
	if (e->has_event)
		yaml_event_delete(&e->event);
	e->has_event = false;
	if (!yaml_parser_parse(&e->parser, &e->event))
		return not_yaml(e, err);
	e->has_event = true;
	return 0;
}

int nf_conf_events_open(struct nf_conf_events *e, const char *label, const void *data,
                        size_t len_bytes, struct nf_err *err)
{
	const char *text = data;

	if (len_bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark */
		text += 3;
		len_bytes -= 3;
	}
	int r = look_at_bytes(label, text, len_bytes, err);
	if (r < 0)
		return r;
	e->label = label;
	if (!yaml_parser_initialize(&e->parser))
		return nf_fail_nomem(err, "the parser of a YAML file", sizeof(e->parser));
	e->has_parser = true;
	yaml_parser_set_encoding(&e->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&e->parser, (const unsigned char *)text, len_bytes);
	r = step(e, err);
	if (r == 0)
		r = step(e, err);
	if (r < 0)
		return r;
	if (e->event.type == YAML_STREAM_END_EVENT)
		return nf_conf_refuse_at(label, (struct nf_conf_pos){ 1, 1 }, err,
		                         "nothing in the file; allowed: a mapping");
	if (e->event.data.document_start.tag_directives.start !=
	    e->event.data.document_start.tag_directives.end)
		return nf_conf_refuse_at(label, pos_of(e->event.start_mark), err,
		                         "a %%TAG directive; allowed: no tags");
	return 0;
}

/* What the event is besides its kind. */
static int refuse_extras(const struct nf_conf_events *e, const yaml_char_t *anchor,
                         const yaml_char_t *tag, struct nf_err *err)
{
	struct nf_conf_pos at = pos_of(e->event.start_mark);

	if (anchor)
		return nf_conf_refuse_at(e->label, at, err,
		                         "the anchor '&%.40s'; allowed: values written out",
		                         (const char *)anchor);
	if (tag)
		return nf_conf_refuse_at(e->label, at, err,
		                         "the tag '%.60s'; allowed: values without tags",
		                         (const char *)tag);
	return 0;
}

static int open_level(struct nf_conf_events *e, struct nf_err *err)
{
	if (e->depth >= NF_CONF_DEPTH)
		return nf_conf_refuse_at(e->label, pos_of(e->event.start_mark), err,
		                         "nested too deeply; allowed: %d levels", NF_CONF_DEPTH);
	e->depth++;
	return 0;
}

static int take_scalar(struct nf_conf_events *e, struct nf_conf_event *ret, struct nf_err *err)
{
	ret->kind = NF_CONF_SCALAR;
	ret->text = (const char *)e->event.data.scalar.value;
	ret->len_bytes = e->event.data.scalar.length;
	ret->plain = e->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	if (memchr(ret->text, 0, ret->len_bytes))
		return nf_conf_refuse_at(e->label, ret->pos, err,
		                         "a NUL in a text; allowed: texts without");
	return refuse_extras(e, e->event.data.scalar.anchor, e->event.data.scalar.tag, err);
}

/* After the document: the end, and nothing else. */
static int take_end(struct nf_conf_events *e, struct nf_conf_event *ret, struct nf_err *err)
{
	int r = step(e, err);

	if (r < 0)
		return r;
	if (e->event.type != YAML_STREAM_END_EVENT)
		return nf_conf_refuse_at(e->label, pos_of(e->event.start_mark), err,
		                         "a second document; allowed: one");
	ret->kind = NF_CONF_END;
	return 0;
}

int nf_conf_events_next(struct nf_conf_events *e, struct nf_conf_event *ret, struct nf_err *err)
{
	struct nf_conf_event ev = { 0 };
	int r = step(e, err);

	if (r < 0)
		return r;
	ev.pos = pos_of(e->event.start_mark);
	switch (e->event.type) {
	case YAML_SCALAR_EVENT:
		r = take_scalar(e, &ev, err);
		break;
	case YAML_SEQUENCE_START_EVENT:
		ev.kind = NF_CONF_BEGIN_LIST;
		r = refuse_extras(e, e->event.data.sequence_start.anchor,
		                  e->event.data.sequence_start.tag, err);
		if (r == 0)
			r = open_level(e, err);
		break;
	case YAML_MAPPING_START_EVENT:
		ev.kind = NF_CONF_BEGIN_MAP;
		r = refuse_extras(e, e->event.data.mapping_start.anchor,
		                  e->event.data.mapping_start.tag, err);
		if (r == 0)
			r = open_level(e, err);
		break;
	case YAML_SEQUENCE_END_EVENT:
		ev.kind = NF_CONF_END_LIST;
		e->depth--;
		break;
	case YAML_MAPPING_END_EVENT:
		ev.kind = NF_CONF_END_MAP;
		e->depth--;
		break;
	case YAML_ALIAS_EVENT:
		r = nf_conf_refuse_at(e->label, ev.pos, err,
		                      "the alias '*%.40s'; allowed: values written out",
		                      (const char *)e->event.data.alias.anchor);
		break;
	case YAML_DOCUMENT_END_EVENT:
		r = take_end(e, &ev, err);
		break;
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_STREAM_END_EVENT:
	case YAML_DOCUMENT_START_EVENT:
		r = nf_conf_refuse_at(e->label, ev.pos, err,
		                      "the parser is out of step; allowed: YAML 1.1");
		break;
	}
	if (r == 0)
		*ret = ev;
	return r;
}

void nf_conf_events_fini(struct nf_conf_events *e)
{
	if (e->has_event)
		yaml_event_delete(&e->event);
	if (e->has_parser)
		yaml_parser_delete(&e->parser);
	e->has_event = e->has_parser = false;
}
