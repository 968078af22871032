/* SPDX-License-Identifier: MIT */
/* Expected values were computed with mpmath to 50 digits. */
#include "noisefloor/dist.h"

#include <float.h>
#include <math.h>

#include "nf_unit.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

static void close_to(double got, double want, double relative)
{
	if (!(fabs(got - want) <= relative * fabs(want)))
		fail_msg("%.17g is not %.17g", got, want);
}

/* clang-format off */
static const struct { double x, p; } normal_cdf[] = {
	{ -38, 2.885428360068784308e-316 }, { -10, 7.619853024160526066e-24 },
	{ -5, 2.866515718791939117e-7 }, { -1, 0.1586552539314570514 },
	{ -0.001, 0.4996010577860889374 }, { 0.3, 0.6179114221889526331 },
	{ 2, 0.9772498680518207928 }, { 8, 0.9999999999999993779 },
};
static const struct { double p, x; } normal_q[] = {
	{ 1e-300, -37.04709629936119924 }, { 1e-20, -9.26234008979840758 },
	{ 1e-6, -4.753424308822898957 }, { 0.025, -1.959963984540054212 },
	{ 0.3, -0.524400512708040816 }, { 0.49, -0.02506890825871105803 },
	{ 0.75, 0.6744897501960817432 }, { 0.999, 3.090232306167813278 },
};
static const struct { double x, df, p; } t_sf[] = {
	{ 0.5, 1, 0.3524163823495667258 }, { 2, 1.5, 0.1120941651780255332 },
	{ 3, 4, 0.01997098403585941364 }, { -1.25, 9.84044635310002, 0.879895540491896998 },
	{ 10, 30, 2.287625704114806596e-11 }, { 40, 3, 0.00001719034039457926414 },
	{ 1e5, 2, 4.99999999925e-11 }, { 2, 1000, 0.02288517324662582002 },
	{ 5, 1e6, 2.866998935445370784e-7 }, { 1e-8, 5, 0.4999999962039331018 },
};
static const struct { double p, df, x; } t_q[] = {
	{ 0.975, 1, 12.70620473617469331 }, { 0.95, 30, 1.697260886593957384 },
	{ 0.99, 4, 3.746947387979195814 }, { 0.005, 2.5, -7.163728138948785458 },
	{ 0.6, 7, 0.2631668613520227522 }, { 1e-10, 3, -2225.769284683093193 },
	{ 0.9999, 200, 3.789120788747759357 }, { 0.51, 100, 0.02513169753771459662 },
	{ 0.25, 0.3, -3.027336940864799743 },
};
static const struct { double x, df, cdf, sf; } chi2[] = {
	{ 0.001, 1, 0.02522712063003961172, 0.9747728793699603883 },
	{ 1, 1, 0.6826894921370858972, 0.3173105078629141028 },
	{ 3.841458820694124, 1, 0.9499999999999999426, 0.05000000000000005744 },
	{ 11.07, 5, 0.9499903813775945178, 0.05000961862240548223 },
	{ 24.181578750182528, 5, 0.9997996555755396271, 0.0002003444244603729008 },
	{ 50, 100, 6.953305247616098969e-6, 0.9999930466947523839 },
	{ 300, 100, 1.0, 7.412100857322876791e-22 },
	{ 1000, 3, 1.0, 1.799420876531447663e-216 },
	{ 990, 1000, 0.4170538536448512968, 0.5829461463551487032 },
	{ 0.2, 0.5, 0.608338845728966067, 0.391661154271033933 },
};
static const struct { double p, df, x; } chi2_q[] = {
	{ 0.95, 1, 3.841458820694124469 }, { 0.5, 10, 9.341817765591967441 },
	{ 0.001, 3, 0.02429758581569273353 }, { 1e-12, 4, 2.828428458080387645e-6 },
	{ 0.999, 0.7, 9.678126727421994606 }, { 0.3, 5000, 4947.080544857741408 },
};
static const struct { double x, a, b, p; } beta[] = {
	{ 0.1, 0.5, 0.5, 0.2048327646991334575 }, { 0.3, 2, 5, 0.579824999999999976 },
	{ 0.999, 3, 0.2, 0.6685414839010846307 }, { 0.5, 1000, 1010, 0.5882698275437275253 },
	{ 1e-5, 0.1, 20, 0.447477482547914937 }, { 0.02, 100, 1e4, 0.9999999999999996097 },
};
static const struct { double p, a, b, x; } beta_q[] = {
	{ 0.025, 3, 8, 0.06673951117773446852 }, { 0.5, 0.5, 0.5, 0.5 },
	{ 0.975, 4, 7, 0.652452850059997241 }, { 1e-8, 2, 2, 0.00005773613808353533883 },
	{ 0.9, 200, 300, 0.4281528536351215516 },
};
static const struct { uint64_t k, n; double p, cdf; } binomial[] = {
	{ 3, 10, 0.3, 0.6496107184000000296 }, { 0, 100, 0.01, 0.3660323412732294972 },
	{ 480, 1000, 0.5, 0.1087241466020704714 }, { 7, 1000, 0.001, 0.9999899681293852436 },
};
/* clang-format on */

static void the_normal_distribution_is_right_far_into_the_tails(void **state)
{
	double v;

	(void)state;
	for (size_t i = 0; i < N(normal_cdf); i++) {
		/* The first is a denormal: few digits. */
		double tolerance = i == 0 ? 1e-6 : 1e-13;

		assert_int_equal(nf_normal_cdf(normal_cdf[i].x, &v, NULL), 0);
		close_to(v, normal_cdf[i].p, tolerance);
		assert_int_equal(nf_normal_sf(-normal_cdf[i].x, &v, NULL), 0);
		close_to(v, normal_cdf[i].p, tolerance);
	}
	for (size_t i = 0; i < N(normal_q); i++) {
		assert_int_equal(nf_normal_quantile(normal_q[i].p, &v, NULL), 0);
		close_to(v, normal_q[i].x, 1e-13);
	}
}

static void students_t_is_right(void **state)
{
	double v;

	(void)state;
	for (size_t i = 0; i < N(t_sf); i++) {
		assert_int_equal(nf_t_sf(t_sf[i].x, t_sf[i].df, &v, NULL), 0);
		close_to(v, t_sf[i].p, 1e-12);
		assert_int_equal(nf_t_cdf(-t_sf[i].x, t_sf[i].df, &v, NULL), 0);
		close_to(v, t_sf[i].p, 1e-12);
	}
	for (size_t i = 0; i < N(t_q); i++) {
		assert_int_equal(nf_t_quantile(t_q[i].p, t_q[i].df, &v, NULL), 0);
		close_to(v, t_q[i].x, 1e-12);
	}
}

static void chi_squared_is_right(void **state)
{
	double v;

	(void)state;
	for (size_t i = 0; i < N(chi2); i++) {
		assert_int_equal(nf_chi2_cdf(chi2[i].x, chi2[i].df, &v, NULL), 0);
		close_to(v, chi2[i].cdf, 1e-12);
		assert_int_equal(nf_chi2_sf(chi2[i].x, chi2[i].df, &v, NULL), 0);
		close_to(v, chi2[i].sf, 1e-12);
	}
	for (size_t i = 0; i < N(chi2_q); i++) {
		assert_int_equal(nf_chi2_quantile(chi2_q[i].p, chi2_q[i].df, &v, NULL), 0);
		close_to(v, chi2_q[i].x, 1e-12);
	}
}

static void beta_and_binomial_are_right(void **state)
{
	double v;

	(void)state;
	for (size_t i = 0; i < N(beta); i++) {
		assert_int_equal(nf_beta_cdf(beta[i].x, beta[i].a, beta[i].b, &v, NULL), 0);
		close_to(v, beta[i].p, 1e-12);
	}
	for (size_t i = 0; i < N(beta_q); i++) {
		assert_int_equal(nf_beta_quantile(beta_q[i].p, beta_q[i].a, beta_q[i].b, &v, NULL),
		                 0);
		close_to(v, beta_q[i].x, 1e-12);
	}
	for (size_t i = 0; i < N(binomial); i++) {
		assert_int_equal(
		        nf_binomial_cdf(binomial[i].k, binomial[i].n, binomial[i].p, &v, NULL), 0);
		close_to(v, binomial[i].cdf, 1e-12);
	}
}

static void quantiles_invert_the_distributions(void **state)
{
	static const double p[] = { 1e-12, 1e-5, 0.01, 0.2, 0.4999, 0.5001, 0.7, 0.99, 0.99999 };
	static const double df[] = { 0.3, 1, 2, 3.7, 10, 100, 1e4, 1e8 };
	double x, back;

	(void)state;
	for (size_t i = 0; i < N(p); i++)
		for (size_t k = 0; k < N(df); k++) {
			assert_int_equal(nf_t_quantile(p[i], df[k], &x, NULL), 0);
			assert_int_equal(nf_t_cdf(x, df[k], &back, NULL), 0);
			close_to(back, p[i], 1e-11);
			assert_int_equal(nf_chi2_quantile(p[i], df[k], &x, NULL), 0);
			assert_int_equal(nf_chi2_cdf(x, df[k], &back, NULL), 0);
			close_to(back, p[i], 1e-10);
			assert_int_equal(nf_beta_quantile(p[i], df[k], 2.5, &x, NULL), 0);
			assert_int_equal(nf_beta_cdf(x, df[k], 2.5, &back, NULL), 0);
			/* 1 - x is what counts, and has the digits that x leaves */
			close_to(back, p[i], df[k] < 1e4 ? 1e-9 : 1e-3);
		}
}

static void ends_of_the_range_have_answers(void **state)
{
	double v;

	(void)state;
	assert_int_equal(nf_normal_quantile(0, &v, NULL), 0);
	assert_true(isinf(v) && v < 0);
	assert_int_equal(nf_normal_quantile(1, &v, NULL), 0);
	assert_true(isinf(v) && v > 0);
	assert_int_equal(nf_normal_quantile(0.5, &v, NULL), 0);
	assert_true(v >= 0 && v <= 0);
	assert_int_equal(nf_normal_quantile(DBL_MIN / 1024, &v, NULL), 0);
	assert_true(v < -37 && v > -39);
	assert_int_equal(nf_t_quantile(0.5, 3, &v, NULL), 0);
	assert_true(v >= 0 && v <= 0);
	assert_int_equal(nf_t_sf((double)INFINITY, 3, &v, NULL), 0);
	assert_true(v >= 0 && v <= 0);
	assert_int_equal(nf_t_sf(1e200, 1, &v, NULL), 0);
	close_to(v, 1e-200 / M_PI, 1e-12);
	assert_int_equal(nf_t_quantile(0.975, (double)INFINITY, &v, NULL), 0);
	close_to(v, 1.959963984540054212, 1e-13);
	assert_int_equal(nf_chi2_cdf(-1, 3, &v, NULL), 0);
	assert_true(v >= 0 && v <= 0);
	assert_int_equal(nf_chi2_sf((double)INFINITY, 3, &v, NULL), 0);
	assert_true(v >= 0 && v <= 0);
	assert_int_equal(nf_chi2_quantile(1, 3, &v, NULL), 0);
	assert_true(isinf(v));
	assert_int_equal(nf_beta_cdf(2, 1, 1, &v, NULL), 0);
	assert_true(v >= 1 && v <= 1);
	assert_int_equal(nf_binomial_cdf(5, 5, 0.5, &v, NULL), 0);
	assert_true(v >= 1 && v <= 1);
	assert_int_equal(nf_binomial_cdf(0, 5, 1, &v, NULL), 0);
	assert_true(v >= 0 && v <= 0);
	assert_int_equal(nf_binomial_cdf(0, 5, 0, &v, NULL), 0);
	assert_true(v >= 1 && v <= 1);
}

static void arguments_outside_the_domain_are_refused(void **state)
{
	const double nan = (double)NAN;
	struct nf_err err;
	double v = 7;

	(void)state;
	assert_int_equal(nf_normal_cdf(nan, &v, &err), -NF_EARG);
	assert_int_equal(nf_normal_quantile(1.5, &v, &err), -NF_EARG);
	assert_int_equal(nf_normal_quantile(nan, &v, &err), -NF_EARG);
	assert_int_equal(nf_t_sf(nan, 1, &v, &err), -NF_EARG);
	assert_int_equal(nf_t_sf(1, 0, &v, &err), -NF_EARG);
	assert_int_equal(nf_t_cdf(1, nan, &v, &err), -NF_EARG);
	assert_int_equal(nf_t_quantile(-0.1, 1, &v, &err), -NF_EARG);
	assert_int_equal(nf_chi2_cdf(1, (double)INFINITY, &v, &err), -NF_EARG);
	assert_int_equal(nf_chi2_quantile(0.5, -1, &v, &err), -NF_EARG);
	assert_int_equal(nf_beta_cdf(0.5, 0, 1, &v, &err), -NF_EARG);
	assert_int_equal(nf_beta_quantile(0.5, 1, nan, &v, &err), -NF_EARG);
	assert_int_equal(nf_binomial_cdf(1, 2, -0.5, &v, &err), -NF_EARG);
	assert_true(v >= 7 && v <= 7);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_normal_distribution_is_right_far_into_the_tails),
	cmocka_unit_test(students_t_is_right),
	cmocka_unit_test(chi_squared_is_right),
	cmocka_unit_test(beta_and_binomial_are_right),
	cmocka_unit_test(quantiles_invert_the_distributions),
	cmocka_unit_test(ends_of_the_range_have_answers),
	cmocka_unit_test(arguments_outside_the_domain_are_refused),
};
NF_UNIT_MAIN(tests)
