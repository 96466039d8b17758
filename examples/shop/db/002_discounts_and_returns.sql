-- A share: 0.1 is 10 %
ALTER TABLE order_items ADD COLUMN discount NUMERIC NOT NULL DEFAULT 0;

-- Lines that came back
CREATE TABLE returns (
  return_id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL,
  line_no INTEGER NOT NULL,
  returned_on DATE NOT NULL,
  reason TEXT NOT NULL,
  FOREIGN KEY (order_id, line_no) REFERENCES order_items (order_id, line_no)
);
