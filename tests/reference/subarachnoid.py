"""Ranks of three markers of 113 patients with subarachnoid haemorrhage, and pROC's tests of them.

The data set aSAH of the R package pROC (Robin et al. 2011, BMC Bioinformatics 12, 77): the first 41
patients had a poor outcome, 72 a good one. The ranks were recovered from the placements of every
patient that its own tests record (the expected placements in tests/testthat); they order
the patients of different outcome as the markers do. The expected numbers are those of its
tests/testthat/test-roc.test.R (roc.test, DeLong, paired) and test-ci.auc.R.
"""

POOR, GOOD = 41, 72

WFNS = """
3 2 4 5 5 5 5 2 5 2 1 2 5 4 4 2 5 5 5 2 5 2 5 2 4 5 4 4 1 4 4 2 2 5 5 2 2 5 5 5 5 1 1 1 1 5 1 2 2
1 2 2 1 1 1 2 1 2 1 1 3 4 1 4 1 5 5 1 1 2 4 1 1 2 2 1 2 1 2 2 1 1 1 1 2 1 2 1 1 3 2 4 2 1 4 1 1 5
4 2 2 1 1 1 3 1 2 2 4 4 1 1 1
"""

S100B = """
9 6 12 8 26 31 29 3 20 5 3 24 22 28 31 16 31 31 31 3 31 18 1 5 14 31 16 31 4 16 9 6 7 14 31 10 31
19 31 31 26 9 10 6 2 27 13 6 6 2 4 2 5 7 3 13 3 7 9 13 2 12 10 21 5 30 27 12 3 25 27 7 4 5 4 2 9 6
10 11 2 2 5 2 5 4 12 5 4 20 7 17 3 6 19 3 2 15 23 6 11 4 10 6 3 2 13 11 27 13 11 30 28
"""

NDKA = """
38 25 29 36 4 10 19 44 48 44 44 15 33 40 6 8 31 2 52 40 17 19 23 31 42 27 40 8 50 35 4 13 40 4 12
44 21 33 46 19 36 1 9 7 18 5 35 5 39 30 39 37 47 11 5 24 5 5 51 26 14 14 39 3 7 5 13 28 7 34 45 7
5 24 11 7 28 43 41 16 22 49 5 37 14 18 18 34 3 37 24 11 18 39 18 22 7 14 18 43 9 24 27 45 20 24 11
43 16 32 41 5 30
"""

# The two markers, z, p, ends of the 95 % interval of the difference of the areas.
PAIRS = (
    ("wfns", "s100b", 2.20898359144091, 0.0271757822291882, 0.0104061769564846, 0.174214419249478),
    ("wfns", "ndka", 2.79777591868904, 0.00514557970691098, 0.0634011709339876, 0.3600405634833566),
    (
        "ndka",
        "s100b",
        -1.39077002573558,
        0.164295175223054,
        -0.2876917446341914,
        0.0488706064228094,
    ),
)
# The area under the curve of ndka, and the ends of its 95 % interval.
NDKA_AREA = (0.501244999271703, 0.611957994579946, 0.722670989888189)
