/* How results of the search are ranked: guides before lists, functions before attributes of results. */
const GUIDES = /^(glossary|tests|errors|comparison|recalibration|curves|groups|confusion|diagnosis|intervals|plan|estimation)$/;

var Scorer = {
  score: ([page, title, , , score]) => {
    if (GUIDES.test(page)) return score + 10;
    return page === "api" && title.split(".").length > 3 ? score - 20 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
