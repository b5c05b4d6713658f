-- The bin, 0 to 9, of a confidence c in [0, 1]: bin i holds i/10 <= c < (i+1)/10, and 1 is in the last one.
-- Unit: none. Compared with the edges themselves: floor(c * 10) rounds 0.8999999999999999 into the wrong bin.
CREATE MACRO reliability_edge(i) AS i::DOUBLE / 10.0::DOUBLE;

CREATE MACRO reliability_bin(c) AS
  CASE WHEN c IS NOT NULL THEN
    (c >= reliability_edge(1))::BIGINT + (c >= reliability_edge(2))::BIGINT + (c >= reliability_edge(3))::BIGINT
    + (c >= reliability_edge(4))::BIGINT + (c >= reliability_edge(5))::BIGINT + (c >= reliability_edge(6))::BIGINT
    + (c >= reliability_edge(7))::BIGINT + (c >= reliability_edge(8))::BIGINT + (c >= reliability_edge(9))::BIGINT
  END;
