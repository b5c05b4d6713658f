-- Wilson's score interval at 95 % (z = 1.96) for k successes among n, clamped to [0, 1]; NULL when n is 0.
-- Unit: share. Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
-- JASA 22 (1927). The order of the operations is part of the definition: it gives published bounds to the last bit.
-- 1.96 alone would be a DECIMAL, and its square 3.8416 exactly, so it is cast first.
CREATE MACRO wilson_centre(k, n) AS
  (k::DOUBLE / n::DOUBLE + 1.96::DOUBLE * 1.96::DOUBLE / (2.0::DOUBLE * n::DOUBLE))
  / (1.0::DOUBLE + 1.96::DOUBLE * 1.96::DOUBLE / n::DOUBLE);

CREATE MACRO wilson_radius(k, n) AS
  1.96::DOUBLE
  * sqrt(
    (k::DOUBLE / n::DOUBLE) * (1.0::DOUBLE - k::DOUBLE / n::DOUBLE) / n::DOUBLE
    + 1.96::DOUBLE * 1.96::DOUBLE / (4.0::DOUBLE * n::DOUBLE * n::DOUBLE)
  )
  / (1.0::DOUBLE + 1.96::DOUBLE * 1.96::DOUBLE / n::DOUBLE);

CREATE MACRO wilson_low(k, n) AS
  CASE WHEN n > 0 THEN greatest(0.0::DOUBLE, wilson_centre(k, n) - wilson_radius(k, n)) END;

CREATE MACRO wilson_high(k, n) AS
  CASE WHEN n > 0 THEN least(1.0::DOUBLE, wilson_centre(k, n) + wilson_radius(k, n)) END;
