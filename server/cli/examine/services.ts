import { join } from 'node:path'
import type { Config } from '#server/platform/config/config.ts'
import { InstallationFault } from '#server/platform/process/installation-fault.ts'
import { ill, messageOf, type Verdict, well } from './finding.ts'

export const examineFiles = async ({ s3, dataDir }: Config): Promise<Verdict> => {
  if (!s3) return well(`no MEDIA_URL: files lie in ${dataDir}`)
  const { examineS3 } = await import('#server/platform/storage/s3-examine.ts')
  try {
    await examineS3(s3)
    return well(`the bucket "${s3.bucket}" at ${s3.endpoint} keeps files`)
  } catch (error) {
    if (error instanceof InstallationFault) return ill(error.says, error.fix)
    throw error
  }
}

const mailTimeoutMs = 5000
export const examineMail = async ({ mail, dataDir }: Config): Promise<Verdict> => {
  if (!mail.smtpUrl) return well(`no SMTP_URL: every mail becomes a file in ${join(dataDir, 'mail')}`)
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(mail.smtpUrl, {
    connectionTimeout: mailTimeoutMs,
    greetingTimeout: mailTimeoutMs,
  } as never)
  const { host } = new URL(mail.smtpUrl)
  try {
    await transport.verify()
    return well(`${host} takes mail`)
  } catch (error) {
    return ill(`${host}: ${messageOf(error)}`, 'correct SMTP_URL; without it mails become files')
  } finally {
    transport.close()
  }
}
