/** One option of a select, a multiselect or a radio group. */
export type Option = { value: string; label: string; disabled?: boolean }

/** The options of `values` with their texts. A value without a text is its own label. */
export const createOptions = <Value extends string>(
  values: readonly Value[],
  labels: Readonly<Partial<Record<Value, string>>>,
) => values.map((value) => ({ value, label: labels[value] ?? value }))
