import { queryFor } from '#client/app/queries/queries.ts'

export const chatImportsQuery = (org: string) => queryFor(org, 'imports.listImports', {})
