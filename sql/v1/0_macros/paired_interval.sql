-- The 95 % interval (z = 1.96) of a difference of paired proportions within one task: of n rows that two models answered, a_only are
-- right for A alone and b_only for B alone, a_only + b_only <= n. NULL when n is 0, clamped to [-1, 1]. Unit: share of rows.
-- A half is added to each of the four cells: n' = n + 2, b = a_only + 1/2, c = b_only + 1/2; centre (b - c)/n', radius
-- z sqrt(b + c - (b - c)^2/n')/n'. Source: Agresti & Min, "Simple improved confidence intervals for comparing matched
-- proportions", Statistics in Medicine 24 (2005). B against A mirrors A against B to the last bit.
CREATE MACRO paired_centre(a_only, b_only, n) AS
  (a_only::DOUBLE - b_only::DOUBLE) / (n::DOUBLE + 2.0::DOUBLE);

CREATE MACRO paired_radius(a_only, b_only, n) AS
  1.96::DOUBLE
  * sqrt(
    a_only::DOUBLE + b_only::DOUBLE + 1.0::DOUBLE
    - (a_only::DOUBLE - b_only::DOUBLE) * (a_only::DOUBLE - b_only::DOUBLE) / (n::DOUBLE + 2.0::DOUBLE)
  )
  / (n::DOUBLE + 2.0::DOUBLE);

CREATE MACRO paired_high(a_only, b_only, n) AS
  CASE WHEN n > 0
    THEN least(1.0::DOUBLE, paired_centre(a_only, b_only, n) + paired_radius(a_only, b_only, n))
  END;

-- 0 - x instead of -x: a difference of 0 has no sign.
CREATE MACRO paired_low(a_only, b_only, n) AS
  CASE WHEN n > 0 THEN 0.0::DOUBLE - paired_high(b_only, a_only, n) END;
