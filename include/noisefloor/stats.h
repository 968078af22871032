/* SPDX-License-Identifier: MIT */
/* stats - all of the statistics at once. docs/METHOD_STATISTICS.md says what is used where and why. */
#ifndef NOISEFLOOR_STATS_H
#define NOISEFLOOR_STATS_H

#include "noisefloor/bootstrap.h"
#include "noisefloor/changepoint.h"
#include "noisefloor/compare.h"
#include "noisefloor/dist.h"
#include "noisefloor/location.h"
#include "noisefloor/meantest.h"
#include "noisefloor/multiple.h"
#include "noisefloor/ranktest.h"
#include "noisefloor/schedule.h"
#include "noisefloor/series.h"
#include "noisefloor/summary.h"

#endif
