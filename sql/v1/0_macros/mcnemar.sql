-- McNemar's mid-p for b rows that only one and c rows that only the other model has right: with X ~ Binomial(b + c, 1/2)
-- and m = min(b, c), 2 P(X <= m) - P(X = m), at most 1; 1 when b = c. Unit: probability.
-- P(X <= m) = P(X = m) (1 + m/(n-m+1) (1 + (m-1)/(n-m+2) (1 + ...))), n = b + c, summed from the inside out.
-- Source: Fagerland, Lydersen & Laake, "The McNemar test for binary matched-pairs data: mid-p and asymptotic are better
-- than exact conditional", BMC Medical Research Methodology 13 (2013).
CREATE MACRO binomial_half(m, n) AS
  exp(lgamma(n + 1.0::DOUBLE) - lgamma(m + 1.0::DOUBLE) - lgamma(n - m + 1.0::DOUBLE) - n * ln(2.0::DOUBLE));

CREATE MACRO binomial_tail(m, n) AS
  list_reduce(
    list_prepend(1.0::DOUBLE, list_transform(range(1, m + 1), lambda k: k::DOUBLE)),
    lambda acc, k: 1.0::DOUBLE + k / (n - k + 1.0::DOUBLE) * acc
  );

CREATE MACRO mcnemar_mid_p(b, c) AS
  CASE WHEN b = c THEN 1.0::DOUBLE ELSE
    least(1.0::DOUBLE, binomial_half(least(b, c), b + c) * (2.0::DOUBLE * binomial_tail(least(b, c), b + c) - 1.0::DOUBLE))
  END;
