/* SPDX-License-Identifier: MIT */
/* Laws over drawn values. Where one does not hold, both sides are noted. */
#include "prop/case.h"

static struct pt_value draw(struct pt_case *t, const char *name, const struct pt_gen *g)
{
	return pt_draw(t, name, g);
}

static void note_sides(struct pt_case *t, struct pt_value left, struct pt_value right)
{
	char a[512], b[512];

	if (!t->verbose)
		return;
	pt_format(a, sizeof(a), left);
	pt_format(b, sizeof(b), right);
	pt_note(t, "left side  %s", a);
	pt_note(t, "right side %s", b);
}

static bool same(struct pt_case *t, struct pt_value left, struct pt_value right)
{
	bool ok = pt_equal(left, right);

	if (!ok)
		note_sides(t, left, right);
	return ok;
}

bool pt_commutative(struct pt_case *t, const struct pt_gen *g, pt_op2 op, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value a = draw(t, "a", g), b = draw(t, "b", g), ab = op(m, a, b, arg);

	return same(t, ab, op(m, b, a, arg));
}

bool pt_associative(struct pt_case *t, const struct pt_gen *g, pt_op2 op, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value a = draw(t, "a", g), b = draw(t, "b", g), c = draw(t, "c", g);
	struct pt_value left = op(m, op(m, a, b, arg), c, arg);

	return same(t, left, op(m, a, op(m, b, c, arg), arg));
}

bool pt_identity(struct pt_case *t, const struct pt_gen *g, pt_op2 op, struct pt_value e, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value a = draw(t, "a", g);

	return same(t, op(m, a, e, arg), a) && same(t, op(m, e, a, arg), a);
}

bool pt_inverse(struct pt_case *t, const struct pt_gen *g, pt_op2 op, pt_op1 inverse,
                struct pt_value e, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value a = draw(t, "a", g), i = inverse(m, a, arg);

	return same(t, op(m, a, i, arg), e) && same(t, op(m, i, a, arg), e);
}

bool pt_distributive(struct pt_case *t, const struct pt_gen *g, pt_op2 times, pt_op2 plus,
                     void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value a = draw(t, "a", g), b = draw(t, "b", g), c = draw(t, "c", g);
	struct pt_value ab = times(m, a, b, arg), ac = times(m, a, c, arg);
	struct pt_value ba = times(m, b, a, arg), ca = times(m, c, a, arg);
	struct pt_value bc = plus(m, b, c, arg);

	return same(t, times(m, a, bc, arg), plus(m, ab, ac, arg)) &&
	       same(t, times(m, bc, a, arg), plus(m, ba, ca, arg));
}

bool pt_absorptive(struct pt_case *t, const struct pt_gen *g, pt_op2 meet, pt_op2 join, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value a = draw(t, "a", g), b = draw(t, "b", g);

	return same(t, meet(m, a, join(m, a, b, arg), arg), a) &&
	       same(t, join(m, a, meet(m, a, b, arg), arg), a);
}

bool pt_idempotent(struct pt_case *t, const struct pt_gen *g, pt_op1 f, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value once = f(m, draw(t, "a", g), arg);

	return same(t, f(m, once, arg), once);
}

bool pt_involution(struct pt_case *t, const struct pt_gen *g, pt_op1 f, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value a = draw(t, "a", g);

	return same(t, f(m, f(m, a, arg), arg), a);
}

bool pt_homomorphism(struct pt_case *t, const struct pt_gen *g, pt_op1 f, pt_op2 from, pt_op2 to,
                     void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value a = draw(t, "a", g), b = draw(t, "b", g), fa = f(m, a, arg),
	                fb = f(m, b, arg);

	return same(t, f(m, from(m, a, b, arg), arg), to(m, fa, fb, arg));
}

bool pt_monotonic(struct pt_case *t, const struct pt_gen *g, pt_op1 f, pt_relation le, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value a = draw(t, "a", g), b = draw(t, "b", g), fa, fb;

	if (!le(a, b, arg)) {
		struct pt_value swap = a;

		a = b;
		b = swap;
		pt_assume(t, le(a, b, arg));
	}
	fa = f(m, a, arg);
	fb = f(m, b, arg);
	if (le(fa, fb, arg))
		return true;
	note_sides(t, fa, fb);
	return false;
}

bool pt_round_trip(struct pt_case *t, const struct pt_gen *g, pt_op1 to, pt_op1 back, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value a = draw(t, "a", g);

	return same(t, back(m, to(m, a, arg), arg), a);
}

bool pt_reflexive(struct pt_case *t, const struct pt_gen *g, pt_relation r, void *arg)
{
	struct pt_value a = draw(t, "a", g);

	return r(a, a, arg);
}

bool pt_symmetric(struct pt_case *t, const struct pt_gen *g, pt_relation r, void *arg)
{
	struct pt_value a = draw(t, "a", g), b = draw(t, "b", g);

	return r(a, b, arg) == r(b, a, arg);
}

bool pt_antisymmetric(struct pt_case *t, const struct pt_gen *g, pt_relation r, void *arg)
{
	struct pt_value a = draw(t, "a", g), b = draw(t, "b", g);

	return !(r(a, b, arg) && r(b, a, arg)) || same(t, a, b);
}

bool pt_transitive(struct pt_case *t, const struct pt_gen *g, pt_relation r, void *arg)
{
	struct pt_value a = draw(t, "a", g), b = draw(t, "b", g), c = draw(t, "c", g);

	return !(r(a, b, arg) && r(b, c, arg)) || r(a, c, arg);
}

bool pt_total(struct pt_case *t, const struct pt_gen *g, pt_relation r, void *arg)
{
	struct pt_value a = draw(t, "a", g), b = draw(t, "b", g);

	return r(a, b, arg) || r(b, a, arg);
}

bool pt_length_preserving(struct pt_case *t, const struct pt_gen *g, pt_op1 f, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value a = draw(t, "a", g), b = f(m, a, arg);

	return same(t, pt_value_int((int64_t)b.n), pt_value_int((int64_t)a.n));
}

bool pt_equivalent(struct pt_case *t, const struct pt_gen *g, pt_op1 f, pt_op1 model, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value a = draw(t, "a", g), left = f(m, a, arg);

	return same(t, left, model(m, a, arg));
}

bool pt_near_equivalent(struct pt_case *t, const struct pt_gen *g, pt_op1 f, pt_op1 model,
                        double absolute, double relative, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value a = draw(t, "a", g), left = f(m, a, arg), right = model(m, a, arg);

	if (pt_near(left, right, absolute, relative))
		return true;
	note_sides(t, left, right);
	return false;
}

bool pt_implies(struct pt_case *t, bool premise, bool conclusion)
{
	pt_assume(t, premise);
	return conclusion;
}
