import type { AccountColumn } from './syncs.kind.ts'

/** The columns of a run for the wire, from the row `r`. */
export const runColumns =
  'r.id, r.status, r.started_at, r.finished_at, r.part, r.page, r.counts, r.error, r.reasons'

/** SQL of the `health` of the account `t`, for `extra` of `crud`. See `SyncHealth` in the contract. */
export const healthSql = (column: AccountColumn): string => `(
  select json_build_object('running', coalesce(s.leased_until > now(), false), 'next_run_at', s.next_run_at,
    'failures', s.failures, 'paused_until', case when s.paused_until > now() then s.paused_until end,
    'pause_reason', case when s.paused_until > now() then s.pause_reason end,
    'gap', case when s.gap_from is not null then json_build_object('from', s.gap_from, 'to', s.gap_to) end,
    'requested_orders', case when s.orders_from is not null
      then json_build_object('from', s.orders_from, 'to', s.orders_to) end,
    'balance', s.balance, 'hold', s.hold, 'money_at', s.money_at,
    'last_run', (select row_to_json(l) from (
      select ${runColumns} from sync_runs r where r.${column} = t.id order by r.id desc limit 1) l))
  from sync_states s where s.${column} = t.id)`
