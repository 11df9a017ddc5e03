import { asState, firstOf, type ReadState, text } from './state.ts'

export const member: ReadState = async (db, { orgId, userId, given }) => {
  const named = firstOf(given, 'memberIdOrEmail', 'memberId')
  const query = db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('member.organizationId', '=', orgId)
    .select(['user.email as subject', 'user.name as name', 'member.role as role'])
  const one = named.includes('@')
    ? query.where('user.email', '=', named.toLowerCase())
    : named
      ? query.where('member.id', '=', named)
      : query.where('user.id', '=', userId ?? '')
  return asState(await one.executeTakeFirst())
}

export const invitation: ReadState = async (db, { orgId, given }) => {
  const query = db
    .selectFrom('invitation')
    .leftJoin('team', 'team.id', 'invitation.teamId')
    .where('invitation.organizationId', '=', orgId)
    .select([
      'invitation.email as subject',
      'invitation.role as role',
      'invitation.status as status',
      'team.name as team',
      'invitation.expiresAt as expiresAt',
    ])
  const id = text(given.invitationId)
  const one = id
    ? query.where('invitation.id', '=', id)
    : query.where('invitation.email', '=', text(given.email).trim().toLowerCase()).where('status', '=', 'pending')
  return asState(await one.orderBy('invitation.createdAt', 'desc').limit(1).executeTakeFirst())
}

export const team: ReadState = async (db, { orgId, given }) => {
  const query = db
    .selectFrom('team')
    .where('organizationId', '=', orgId)
    .select(['name as subject', 'name', 'description'])
  const id = text(given.teamId)
  const one = id ? query.where('id', '=', id) : query.where('name', '=', text(given.name))
  return asState(await one.orderBy('createdAt', 'desc').limit(1).executeTakeFirst())
}

export const teamMember: ReadState = async (db, { orgId, given }) =>
  asState(
    await db
      .selectFrom('team')
      .leftJoin('teamMember', join =>
        join.onRef('teamMember.teamId', '=', 'team.id').on('teamMember.userId', '=', text(given.userId)),
      )
      .leftJoin('user', 'user.id', 'teamMember.userId')
      .where('team.organizationId', '=', orgId)
      .where('team.id', '=', text(given.teamId))
      .select(['team.name as subject', 'user.email as member'])
      .executeTakeFirst(),
  )

export const key: ReadState = async (db, { orgId, given }) => {
  const query = db
    .selectFrom('apikey')
    .where('referenceId', '=', orgId)
    .select(['name as subject', 'name', 'permissions as scopes', 'expiresAt'])
  const id = text(given.keyId)
  const one = id ? query.where('id', '=', id) : query.where('name', '=', text(given.name).trim().replace(/\s+/g, ' '))
  return asState(await one.orderBy('createdAt', 'desc').limit(1).executeTakeFirst())
}

export const expiredKeys: ReadState = async (db, { orgId }) => {
  const { count } = await db
    .selectFrom('apikey')
    .where('referenceId', '=', orgId)
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { subject: null, facts: { keys: Number(count) } }
}

export const provider: ReadState = async (db, { orgId, given }) =>
  asState(
    await db
      .selectFrom('sso_provider')
      .leftJoin('team', 'team.id', 'sso_provider.team_id')
      .where('org_id', '=', orgId)
      .where('sso_provider.id', '=', text(given.providerId))
      .select([
        'sso_provider.domain as subject',
        'sso_provider.domain as domain',
        'issuer',
        'client_id as clientId',
        'is_active as status',
        'domain_verified_at as verifiedAt',
        'role',
        'team.name as team',
      ])
      .executeTakeFirst(),
  )
