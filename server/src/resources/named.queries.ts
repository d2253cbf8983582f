/** SQL: the JSON `{id, name}` of the row of `table` whose id is the expression `id`; null if there is none. */
export const buildNamedJson = (table: string, id: string): string =>
  `(select json_build_object('id', named.id, 'name', named.name) from ${table} named where named.id = ${id})`
