-- ask: top 5 customers by net revenue

-- ask: 销售额最高的3个商品

-- ask: net revenue per month since 2024-04-01 @orders @order_items

-- ask: how many customers are there in Oslo?

-- ask: which warehouse ships the fastest?
