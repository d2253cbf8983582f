-- Where the customer is and why the order was cancelled, as the source reports them. Explore groups leads by them.
alter table leads add column region text, add column cancel_reason text;
