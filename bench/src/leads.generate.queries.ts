/** Leads of two years: 5 networks, 200 offers, and 2,000 streams of 50 people, 40 each; 5,000 values of sub1. */
export const shape = { days: 730, sources: 5, offers: 200, streams: 2000, people: 50, sub1: 5000 } as const
/** Fixed days, so that the generated leads are always the same. */
export const span = { first: '2024-11-21', last: '2026-11-20' } as const

/**
 * Source statuses and their leads per thousand. `new` is unmapped, as at many sources. The others have a default mapping.
 */
export const shares: readonly (readonly [sourceStatus: string, share: number])[] = [
  ['new', 60],
  ['accepted', 130],
  ['callback', 70],
  ['sent', 110],
  ['delivered', 310],
  ['client_returned', 60],
  ['cancelled', 150],
  ['trash', 80],
  ['pending', 30],
]

/** Creates the rows that the leads refer to. All people have the password of the first admin. A stream sells one offer. */
export const referenceStatements: readonly string[] = [
  `insert into cpa_sources (name, url)
    select 'Source ' || n, 'https://source-' || n || '.example' from generate_series(1, ${shape.sources}) n`,
  `insert into roles (name, code) values ('Media buyer', 'buyer')`,
  // Four of five sources, so that a person's reports exclude some leads of own streams.
  `insert into role_source_access (role_id, source_id)
    select r.id, s.id from roles r, cpa_sources s where r.code = 'buyer' and s.id < ${shape.sources}`,
  `insert into users (username, name, email, password_hash, role_id)
    select 'buyer' || n, 'Buyer ' || n, 'buyer' || n || '@example.com', a.password_hash, r.id
    from generate_series(1, ${shape.people}) n, roles r, users a
    where r.code = 'buyer' and a.username = 'admin' order by n`,
  `insert into offers (name, price, affiliate_fee, store_name, status_id, source_id, extra_id)
    select 'Offer ' || md5(n::text), n * 7919 % 900000 + 0.5, n * 104729 % 90000 + 0.25, 'Store ' || n % 20,
      (select min(id) from statuses), 1 + n % ${shape.sources}, n::text from generate_series(1, ${shape.offers}) n`,
  `insert into streams (name, url, offer_name, offer_id, source_id, user_id, extra_id)
    select 'Stream ' || md5(n::text), 'https://stream-' || n || '.example', o.name, o.id, o.source_id, u.id, n::text
    from generate_series(1, ${shape.streams}) n
    join offers o on o.extra_id = (1 + (n - 1) % ${shape.offers})::text
    join users u on u.username = 'buyer' || (1 + (n - 1) / ${shape.sources} % ${shape.people}) order by n`,
]

/** A number in 0..2^31-1 computed from the lead's number. Each `seed` gives another number for the same lead. */
const chance = (seed: number) => `(hashint8extended(n, ${seed}) & 2147483647)`

/**
 * Inserts the leads numbered $1 to $2 of $3 in all, the oldest first. $4: words, $5: their statuses (null: none),
 * $6: the shares summed up. Streams differ in size: half of them have 63 % of the leads. One lead of 32 names its
 * offer alone, another its source alone.
 */
export const leadsSql = `
  insert into leads (source_id, external_id, offer_id, stream_id, source_status, status_id, payout, day, created_at, updated_at,
    region, cancel_reason, subs)
  select s.source_id, 'L' || c.n, case when c.named > 0 then s.offer_id end, case when c.named > 1 then s.id end,
    ($4::text[])[c.state], ($5::bigint[])[c.state], c.payout::numeric / 100, c.created_at::date, c.created_at,
    c.created_at + c.late * interval '1 second',
    case when c.region > 0 then 'Region ' || c.region end,
    case when ($4::text[])[c.state] in ('cancelled', 'trash') then 'Reason ' || c.payout % 12 end,
    jsonb_build_object('sub1', 's' || c.sub1, 'sub2', 's' || c.sub1 % 100, 'sub3', 's' || c.sub1 % 10)
  from (
    select n, 1 + floor(${shape.streams} * power(${chance(1)} / 2147483648.0::float8, 1.5))::bigint * 7
        % ${shape.streams} as stream,
      ${chance(2)} % 32 as named, 1 + width_bucket((${chance(3)} % 1000)::int, $6::int[]) as state,
      500000 + ${chance(4)} % 20000000 as payout, ${chance(5)} % 1728000 as late,
      ${chance(6)} % 15 as region, ${chance(7)} % ${shape.sub1} as sub1,
      '${span.first}'::timestamptz + (n - 1)::float8 / $3::bigint * ${shape.days} * interval '24 hours' as created_at
    from generate_series($1::bigint, $2::bigint) n
  ) c
  join streams s on s.id = c.stream`
