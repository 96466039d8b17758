-- Who buys: shops and other businesses, never private persons
CREATE TABLE customers (
  customer_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  city TEXT NOT NULL, -- in the language of the place
  country TEXT NOT NULL,
  segment TEXT NOT NULL CHECK (segment IN ('retail', 'wholesale', 'online')),
  created_on DATE NOT NULL
);

-- What is sold
CREATE TABLE products (
  product_id INTEGER PRIMARY KEY,
  sku TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  category TEXT NOT NULL,
  list_price NUMERIC NOT NULL, -- EUR, without VAT
  is_active INTEGER NOT NULL DEFAULT 1
);

-- One row per order
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
  status TEXT NOT NULL CHECK (status IN ('paid', 'shipped', 'delivered', 'cancelled')),
  placed_at TIMESTAMP NOT NULL, -- UTC
  shipped_at TIMESTAMP
);

-- One row per line of an order
CREATE TABLE order_items (
  order_id INTEGER NOT NULL REFERENCES orders (order_id),
  line_no INTEGER NOT NULL,
  product_id INTEGER NOT NULL REFERENCES products (product_id),
  quantity INTEGER NOT NULL,
  unit_price NUMERIC NOT NULL, -- EUR at the time of the order, without VAT
  PRIMARY KEY (order_id, line_no)
);
