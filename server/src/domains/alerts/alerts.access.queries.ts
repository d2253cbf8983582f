/** SQL: the role of the row `r` of `roles` is that of admins. */
const isAdminSql = (r: string) => `${r}.code = 'admin'`

/**
 * SQL: the owner may see now what the rule `r` reads. The row `o` is the owner, `w` the owner's role; both are null for a
 * built-in rule.
 */
export const ownerAccessSql = (r: string, o: string, w: string): string => {
  const sources = `(select a.source_id from role_source_access a where a.role_id = ${o}.role_id)`
  const refuseIds = (ids: string, condition: string) =>
    `not exists (select from unnest(${r}.${ids}) n (id) where not (${condition}))`
  return `(${r}.owner_id is null or (${o}.is_active and (${isAdminSql(w)} or (
    ${refuseIds('source_ids', `n.id in ${sources}`)}
    and ${refuseIds('offer_ids', `n.id = 0 or exists (select from offers f where f.id = n.id and f.source_id in ${sources})`)}
    and ${refuseIds('stream_ids', `exists (select from streams s where s.id = n.id and s.user_id = ${o}.id and s.source_id in ${sources})`)}
    and ${refuseIds('buyer_ids', `n.id = ${o}.id`)}))))`
}

/**
 * SQL: the person `u` with the role `ro` gets the alerts of the rule `r` now: its owner, all admins for a built-in rule, and
 * the people of the roles that an admin named.
 */
export const receiverSql = (r: string, u: string, ro: string): string => `(${u}.is_active
  and ${ownerAccessSql(r, 'o', 'w')}
  and (${u}.id = ${r}.owner_id
    or (${r}.owner_id is null and ${isAdminSql(ro)})
    or (${u}.role_id = any(${r}.receiver_role_ids) and (${r}.owner_id is null or ${isAdminSql('w')}))))`

/** SQL: joins the owner `o` and the owner's role `w` to the rule `r`. */
export const joinOwnerSql = (r: string): string =>
  `left join users o on o.id = ${r}.owner_id left join roles w on w.id = o.role_id`
