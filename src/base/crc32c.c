/* SPDX-License-Identifier: MIT */
#include "base/crc32c_arch.h"
#include "base/hash.h"

/*
 * Eight bytes a step. Row 2i and 2i + 1 hold what the low and the high half of byte i contribute
 * (polynomial 0x1edc6f41, reflected); tests/unit/test_hash.c recomputes them bit by bit.
 */
static const uint32_t slices[16][16] = {
	/* clang-format off */
	{ 0x00000000, 0x493c7d27, 0x9278fa4e, 0xdb448769,
	  0x211d826d, 0x6821ff4a, 0xb3657823, 0xfa590504,
	  0x423b04da, 0x0b0779fd, 0xd043fe94, 0x997f83b3,
	  0x632686b7, 0x2a1afb90, 0xf15e7cf9, 0xb86201de },
	{ 0x00000000, 0x847609b4, 0x0d006599, 0x89766c2d,
	  0x1a00cb32, 0x9e76c286, 0x1700aeab, 0x9376a71f,
	  0x34019664, 0xb0779fd0, 0x3901f3fd, 0xbd77fa49,
	  0x2e015d56, 0xaa7754e2, 0x230138cf, 0xa777317b },
	{ 0x00000000, 0x68032cc8, 0xd0065990, 0xb8057558,
	  0xa5e0c5d1, 0xcde3e919, 0x75e69c41, 0x1de5b089,
	  0x4e2dfd53, 0x262ed19b, 0x9e2ba4c3, 0xf628880b,
	  0xebcd3882, 0x83ce144a, 0x3bcb6112, 0x53c84dda },
	{ 0x00000000, 0x9c5bfaa6, 0x3d5b83bd, 0xa100791b,
	  0x7ab7077a, 0xe6ecfddc, 0x47ec84c7, 0xdbb77e61,
	  0xf56e0ef4, 0x6935f452, 0xc8358d49, 0x546e77ef,
	  0x8fd9098e, 0x1382f328, 0xb2828a33, 0x2ed97095 },
	{ 0x00000000, 0xef306b19, 0xdb8ca0c3, 0x34bccbda,
	  0xb2f53777, 0x5dc55c6e, 0x697997b4, 0x8649fcad,
	  0x6006181f, 0x8f367306, 0xbb8ab8dc, 0x54bad3c5,
	  0xd2f32f68, 0x3dc34471, 0x097f8fab, 0xe64fe4b2 },
	{ 0x00000000, 0xc00c303e, 0x85f4168d, 0x45f826b3,
	  0x0e045beb, 0xce086bd5, 0x8bf04d66, 0x4bfc7d58,
	  0x1c08b7d6, 0xdc0487e8, 0x99fca15b, 0x59f09165,
	  0x120cec3d, 0xd200dc03, 0x97f8fab0, 0x57f4ca8e },
	{ 0x00000000, 0x38116fac, 0x7022df58, 0x4833b0f4,
	  0xe045beb0, 0xd854d11c, 0x906761e8, 0xa8760e44,
	  0xc5670b91, 0xfd76643d, 0xb545d4c9, 0x8d54bb65,
	  0x2522b521, 0x1d33da8d, 0x55006a79, 0x6d1105d5 },
	{ 0x00000000, 0x8f2261d3, 0x1ba8b557, 0x948ad484,
	  0x37516aae, 0xb8730b7d, 0x2cf9dff9, 0xa3dbbe2a,
	  0x6ea2d55c, 0xe180b48f, 0x750a600b, 0xfa2801d8,
	  0x59f3bff2, 0xd6d1de21, 0x425b0aa5, 0xcd796b76 },
	{ 0x00000000, 0xdd45aab8, 0xbf672381, 0x62228939,
	  0x7b2231f3, 0xa6679b4b, 0xc4451272, 0x1900b8ca,
	  0xf64463e6, 0x2b01c95e, 0x49234067, 0x9466eadf,
	  0x8d665215, 0x5023f8ad, 0x32017194, 0xef44db2c },
	{ 0x00000000, 0xe964b13d, 0xd725148b, 0x3e41a5b6,
	  0xaba65fe7, 0x42c2eeda, 0x7c834b6c, 0x95e7fa51,
	  0x52a0c93f, 0xbbc47802, 0x8585ddb4, 0x6ce16c89,
	  0xf90696d8, 0x106227e5, 0x2e238253, 0xc747336e },
	{ 0x00000000, 0xa541927e, 0x4f6f520d, 0xea2ec073,
	  0x9edea41a, 0x3b9f3664, 0xd1b1f617, 0x74f06469,
	  0x38513ec5, 0x9d10acbb, 0x773e6cc8, 0xd27ffeb6,
	  0xa68f9adf, 0x03ce08a1, 0xe9e0c8d2, 0x4ca15aac },
	{ 0x00000000, 0x70a27d8a, 0xe144fb14, 0x91e6869e,
	  0xc76580d9, 0xb7c7fd53, 0x26217bcd, 0x56830647,
	  0x8b277743, 0xfb850ac9, 0x6a638c57, 0x1ac1f1dd,
	  0x4c42f79a, 0x3ce08a10, 0xad060c8e, 0xdda47104 },
	{ 0x00000000, 0x13a29877, 0x274530ee, 0x34e7a899,
	  0x4e8a61dc, 0x5d28f9ab, 0x69cf5132, 0x7a6dc945,
	  0x9d14c3b8, 0x8eb65bcf, 0xba51f356, 0xa9f36b21,
	  0xd39ea264, 0xc03c3a13, 0xf4db928a, 0xe7790afd },
	{ 0x00000000, 0x3fc5f181, 0x7f8be302, 0x404e1283,
	  0xff17c604, 0xc0d23785, 0x809c2506, 0xbf59d487,
	  0xfbc3faf9, 0xc4060b78, 0x844819fb, 0xbb8de87a,
	  0x04d43cfd, 0x3b11cd7c, 0x7b5fdfff, 0x449a2e7e },
	{ 0x00000000, 0xf26b8303, 0xe13b70f7, 0x1350f3f4,
	  0xc79a971f, 0x35f1141c, 0x26a1e7e8, 0xd4ca64eb,
	  0x8ad958cf, 0x78b2dbcc, 0x6be22838, 0x9989ab3b,
	  0x4d43cfd0, 0xbf284cd3, 0xac78bf27, 0x5e133c24 },
	{ 0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1,
	  0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
	  0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
	  0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75 },
	/* clang-format on */
};

static uint32_t step_byte(uint32_t crc, uint8_t byte)
{
	uint32_t i = (crc ^ byte) & 0xff;

	return crc >> 8 ^ slices[14][i & 15] ^ slices[15][i >> 4];
}

static uint32_t step_word(uint32_t crc, const uint8_t p[8])
{
	uint32_t ret = 0;

	for (int i = 0; i < 8; i++) {
		uint32_t v = p[i];

		if (i < 4)
			v ^= crc >> (8 * i) & 0xff;
		ret ^= slices[2 * i][v & 15] ^ slices[2 * i + 1][v >> 4];
	}
	return ret;
}

uint32_t nf_crc32c_plain(uint32_t crc, const void *data, size_t len_bytes)
{
	const uint8_t *p = data;

	crc = ~crc;
	for (; len_bytes >= 8; len_bytes -= 8, p += 8)
		crc = step_word(crc, p);
	for (; len_bytes; len_bytes--)
		crc = step_byte(crc, *p++);
	return ~crc;
}

uint32_t nf_crc32c(uint32_t crc, const void *data, size_t len_bytes)
{
	return nf_crc32c_has_instruction() ? nf_crc32c_instruction(crc, data, len_bytes)
	                                   : nf_crc32c_plain(crc, data, len_bytes);
}

/* Polynomials over GF(2) of degree below 32, bit 31 being x^0 (reflected): a * b modulo the CRC's own. */
static uint32_t multiply(uint32_t a, uint32_t b)
{
	uint32_t product = 0;

	for (uint32_t bit = UINT32_C(1) << 31; bit; bit >>= 1) {
		if (a & bit)
			product ^= b;
		b = b & 1 ? b >> 1 ^ UINT32_C(0x82f63b78) : b >> 1;
	}
	return product;
}

/* len more bytes behind A multiply its remainder by x^(8 len). */
uint32_t nf_crc32c_combine(uint32_t crc_a, uint32_t crc_b, uint64_t len_b_bytes)
{
	uint32_t power = UINT32_C(1) << 23; /* x^8 */

	for (uint64_t n = len_b_bytes; n; n >>= 1) {
		if (n & 1)
			crc_a = multiply(power, crc_a);
		power = multiply(power, power);
	}
	return crc_a ^ crc_b;
}
