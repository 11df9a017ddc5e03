import type { StarterKey } from './starter-plans.ts'

/** The English texts of a plan; its steps and edges are the same. */
export interface Words {
  readonly name: string
  readonly words?: readonly string[]
  readonly nodes: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly options?: Readonly<Record<string, string>>
}
export const english: Readonly<Record<StarterKey, Words>> = {
  welcome: {
    name: 'Welcome menu',
    words: ['hi', 'hello', 'menu'],
    options: { hours: 'Opening hours', prices: 'Prices', person: 'Talk to somebody' },
    nodes: {
      menu: { text: 'Hi! I am the assistant of {{org.nombre}}. How can I help you?' },
      hours: { text: 'We are here Monday to Friday, 9 to 18.' },
      prices: { text: 'Tell us what you are looking for and we send you the price.' },
      person: { text: 'Somebody of the team is with you in a moment.', note: 'Asked to talk to somebody.' },
      team: { note: 'Asked for prices.' },
      other: { text: 'I pass you on to somebody of the team.', note: 'Wrote: {{ultimo_mensaje}}' },
    },
  },
  hours: {
    name: 'Out of hours',
    nodes: {
      closed: { text: 'Thank you for writing! We are closed now.' },
      reason: { text: 'What do you need? Then we answer as soon as we open.', variable: 'request' },
      thanks: { text: 'Noted. We write to you as soon as we open.', note: 'Out of hours: {{flujo.request}}' },
      nothing: { note: 'Wrote out of hours and did not say what for.' },
    },
  },
  lead: {
    name: 'Enquiry with questions',
    words: ['quote', 'estimate', 'want to buy'],
    nodes: {
      hello: { text: 'Great! Two questions, and then somebody of the team goes on.' },
      what: { text: 'Which product or service are you interested in?', variable: 'interest' },
      email: {
        text: 'To which e-mail address do we send the quote?',
        variable: 'email',
        retryText: 'That address does not look complete. Could you write it again?',
      },
      team: {
        text: 'Thank you! Somebody of the team answers you soon.',
        note: 'Looks for: {{flujo.interest|not said}}. E-mail: {{flujo.email|not said}}.',
      },
    },
  },
  satisfaction: {
    name: 'Satisfaction question',
    options: { good: 'Very well', soso: 'So-so', bad: 'Badly' },
    nodes: {
      ask: { text: 'How did we do?', variable: 'service' },
      thanks: { text: 'Thank you! We are glad.' },
      why: { text: 'We are sorry that it did not go well. What can we do better?', variable: 'better' },
      team: { note: 'Service: {{flujo.service|not said}}. Says: {{flujo.better|nothing}}' },
    },
  },
  appointment: {
    name: 'Appointment',
    words: ['appointment', 'to book', 'reservation'],
    options: { morning: 'In the morning', afternoon: 'In the afternoon', any: 'Either' },
    nodes: {
      day: {
        text: 'For which day? For example 25/12.',
        variable: 'day',
        retryText: 'I did not understand the date. Write it like 25/12.',
      },
      time: { text: 'Which part of the day suits you?', variable: 'part' },
      who: { text: 'In whose name do we note it?', variable: 'name' },
      team: {
        text: 'Thank you! Somebody of the team confirms it.',
        note: 'Appointment: {{flujo.day|no day}}, {{flujo.part|no time}}, in the name of {{flujo.name|nobody yet}}.',
      },
    },
  },
  order: {
    name: 'Order status',
    words: ['my order', 'tracking', 'where is'],
    nodes: {
      number: { text: 'Which order number is it?', variable: 'order' },
      look: {
        url: 'https://api.shop.example/orders/{{flujo.order}}',
        map: [
          { variable: 'status', path: 'status' },
          { variable: 'arrives', path: 'arrives' },
        ],
        mock: { status: 200, body: '{"status": "on its way", "arrives": "tomorrow"}' },
      },
      found: { text: 'Your order {{flujo.order}} is {{flujo.status}}. It arrives: {{flujo.arrives|no date yet}}.' },
      unknown: { text: 'I do not find the order {{flujo.order}}. Is the number right?' },
      team: {
        text: 'I cannot look now. Somebody of the team answers you.',
        note: 'Asks for the order {{flujo.order|no number}}.',
      },
    },
  },
  optOut: {
    name: 'News or none',
    words: ['no more news', 'stop sending', 'promotions'],
    options: { keep: 'Yes, go on', stop: 'STOP' },
    nodes: {
      ask: { text: 'Do you want to go on getting our news?' },
      kept: { text: 'Fine, you stay on the list.' },
      stopped: { note: 'Wants no more news.' },
      other: { text: 'Somebody of the team answers you.', note: 'Wrote: {{ultimo_mensaje}}' },
    },
  },
}
