import { Type } from 'typebox'
import { call } from '../lib/call.ts'
import { alias, email, externalId, flag, Id, password, reference, text } from '../lib/field.ts'
import { maxCode } from '../lib/limits.ts'
import { resource } from '../lib/resource.ts'
import { DateTime } from '../lib/schemas.ts'

/** People. They are deactivated and not deleted. Only registrations that wait too long are deleted. */
export const users = resource({
  name: 'users',
  noun: { one: 'user', many: 'users' },
  title: 'Users',
  fields: {
    username: text('Username', { required: 'always', search: true, max: maxCode }),
    name: text('Name', { required: 'always', search: true }),
    email: email('Email', { required: 'always', search: true }),
    password: password('Password', { required: 'create', access: 'write' }),
    role_id: reference('Role', 'roles', { required: 'always' }),
    extra_id: externalId('Extra id', { access: 'read' }),
    is_active: flag('Active', { access: 'read' }),
    waiting: flag('Waiting', { access: 'read', fallback: false }),
    second_factor: flag('Second factor', { access: 'read', fallback: false }),
    isActive: alias<boolean>('is_active', Type.Boolean()),
    createdAt: alias<string>('created_at', DateTime),
    updatedAt: alias<string>('updated_at', DateTime),
  },
  columns: ['username', 'name', 'email', 'role_id', 'is_active', 'created_at'],
  quirks: { delete: false, itemSlash: false },
})

const activationCall = (action: 'activate' | 'deactivate', summary: string) =>
  call({
    id: `users.${action}`,
    summary,
    method: 'PUT',
    path: `/api/admin/users/:id/${action}`,
    guard: 'admin',
    params: Type.Object({ id: Id }),
    answer: users.schemas.row,
  })

export const activateUser = activationCall('activate', 'Let a person sign in')
export const deactivateUser = activationCall(
  'deactivate',
  'End a person’s sessions and let them sign in no more',
)
