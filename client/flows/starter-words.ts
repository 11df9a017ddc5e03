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
    options: { hours: 'Opening hours', prices: 'Prices', person: 'Talk to someone' },
    nodes: {
      menu: { text: "Hi! I'm {{org.nombre}}'s assistant. How can I help you?" },
      hours: { text: "We're open Monday to Friday, 9 am to 6 pm." },
      prices: { text: "Tell us what you're looking for and we'll send you the price." },
      person: { text: 'Someone from our team will be with you in a moment.', note: 'Asked to talk to someone.' },
      team: { note: 'Asked for prices.' },
      other: { text: "I'll pass you on to someone from our team.", note: 'Wrote: {{ultimo_mensaje}}' },
    },
  },
  hours: {
    name: 'Outside business hours',
    nodes: {
      closed: { text: "Thanks for writing! We're closed right now." },
      reason: { text: "What do you need? We'll reply as soon as we open.", variable: 'request' },
      thanks: {
        text: "Got it. We'll write to you as soon as we open.",
        note: 'Outside business hours: {{flujo.request}}',
      },
      nothing: { note: "Wrote outside business hours and didn't say what they need." },
    },
  },
  lead: {
    name: 'Lead qualification',
    words: ['quote', 'estimate', 'want to buy'],
    nodes: {
      hello: { text: 'Great! Just two questions, then someone from our team will take over.' },
      what: { text: 'Which product or service are you interested in?', variable: 'interest' },
      email: {
        text: 'Which e-mail address should we send the quote to?',
        variable: 'email',
        retryText: "That address doesn't look complete. Could you type it again?",
      },
      team: {
        text: 'Thank you! Someone from our team will reply soon.',
        note: 'Interested in: {{flujo.interest|not given}}. E-mail: {{flujo.email|not given}}.',
      },
    },
  },
  satisfaction: {
    name: 'Satisfaction survey',
    options: { good: 'Great', soso: 'So-so', bad: 'Not well' },
    nodes: {
      ask: { text: 'How did we do?', variable: 'service' },
      thanks: { text: "Thank you! We're glad to hear it." },
      why: { text: "We're sorry it didn't go well. What can we do better?", variable: 'better' },
      team: { note: 'Service: {{flujo.service|no answer}}. Comment: {{flujo.better|none}}' },
    },
  },
  appointment: {
    name: 'Appointment',
    words: ['appointment', 'to book', 'reservation'],
    options: { morning: 'In the morning', afternoon: 'In the afternoon', any: 'Either is fine' },
    nodes: {
      day: {
        text: 'What day would you like to come? For example 25/12.',
        variable: 'day',
        retryText: "I couldn't read that date. Please write it like 25/12.",
      },
      time: { text: 'What time of day suits you best?', variable: 'part' },
      who: { text: 'What name should we book it under?', variable: 'name' },
      team: {
        text: 'Thank you! Someone from our team will confirm it.',
        note: 'Appointment: {{flujo.day|no day}}, {{flujo.part|no time}}, under the name {{flujo.name|no name}}.',
      },
    },
  },
  order: {
    name: 'Order status',
    words: ['my order', 'tracking', 'where is'],
    nodes: {
      number: { text: "What's your order number?", variable: 'order' },
      look: {
        url: 'https://api.shop.example/orders/{{flujo.order}}',
        map: [
          { variable: 'status', path: 'status' },
          { variable: 'arrives', path: 'arrives' },
        ],
        mock: { status: 200, body: '{"status": "on its way", "arrives": "tomorrow"}' },
      },
      found: { text: 'Your order {{flujo.order}} is {{flujo.status}}. Expected: {{flujo.arrives|no date yet}}.' },
      unknown: { text: "I can't find order {{flujo.order}}. Could you check the number?" },
      team: {
        text: "I can't look that up right now. Someone from our team will reply.",
        note: 'Asking about order {{flujo.order|no number}}.',
      },
    },
  },
  optOut: {
    name: 'Marketing on or off',
    words: ['no more news', 'stop sending', 'promotions'],
    options: { keep: 'Yes, keep them', stop: 'STOP' },
    nodes: {
      ask: { text: 'Would you like to keep getting our news and offers?' },
      kept: { text: "Great, you'll stay on the list." },
      stopped: { note: "Doesn't want any more news." },
      other: { text: 'Someone from our team will reply.', note: 'Wrote: {{ultimo_mensaje}}' },
    },
  },
}
