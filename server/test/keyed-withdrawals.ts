import { randomUUID } from 'node:crypto'
import { callApi, firstAdmin, type Product, type Session } from './app.ts'
import { readId } from './people.ts'

const query = async ({ deps }: Product, text: string, values: unknown[]): Promise<number> => {
  const { rows } = await deps.pool.query<{ id: number }>(text, values)
  return rows[0]?.id ?? 0
}

/** A withdrawal of the admin, who has earned its amount. Earlier ones are ended. */
export async function newWithdrawal(product: Product, admin: Session, status: string): Promise<number> {
  const id = await readId(product.app, admin, `/api/admin/users/?username=${firstAdmin.username}`)
  const entry = { account_id: `person-${id}-UZS`, amount: -100, reason: 'Opening balance' }
  await callApi(product.app, admin, 'POST', '/api/admin/ledger/adjustments/', entry)
  await product.deps.pool.query(
    `update withdrawals set status = 'declined' where status in ('requested', 'approved', 'sent')`,
  )
  const text = `insert into withdrawals (user_id, currency, amount, status, details)
    values ($1, 'UZS', 10, $2, 'masked') returning id`
  return query(product, text, [id, status])
}

/** A withdrawal of the admin that waits for the bank. */
export async function newSentWithdrawal(product: Product, admin: Session): Promise<number> {
  await newApprovedWithdrawal(product, admin)
  const body = { currency: 'UZS' }
  const answer = await callApi(product.app, admin, 'POST', '/api/admin/payment-registries/', body)
  return query(product, 'select id from withdrawals where registry_id = $1', [
    answer.json<{ id: number }>().id,
  ])
}

/** An approved withdrawal of the admin with payment details. */
export async function newApprovedWithdrawal(product: Product, admin: Session): Promise<void> {
  await newWithdrawal(product, admin, 'declined')
  const body = { details: `keyed ${randomUUID()}`, currency: 'UZS', amount: 1 }
  const answer = await callApi(product.app, admin, 'POST', '/api/user/withdrawals/', body)
  const { id } = answer.json<{ id: number }>()
  await callApi(product.app, admin, 'POST', `/api/admin/withdrawals/${id}/approve/`)
}
