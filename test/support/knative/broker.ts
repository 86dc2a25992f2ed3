import { setTimeout as wait } from "node:timers/promises";
import { wakes } from "./trigger.ts";
import type { Trigger } from "./trigger.ts";

/** An event in binary mode: its attributes, without `ce-`, and its data. */
export type BrokerEvent = { readonly attributes: Readonly<Record<string, string>>; readonly body: string };
/** One request, and what came back: a status, or `none`. */
type Attempt = { readonly to: string; readonly answer: number | "none" };

type Delivery = {
  readonly retry: number;
  readonly backoffPolicy: "exponential";
  /** E.g. `PT0.5S`. */
  readonly backoffDelay: string;
  readonly deadLetterSink: { readonly ref: { readonly name: string } };
};

/** Waits are so many times shorter than a real Broker's. */
const HURRY = 50;

/** What Knative tries again (pkg/kncloudevents/retries.go). */
const isTriedAgain = (answer: Attempt["answer"]): boolean =>
  answer === "none" || answer >= 500 || [404, 408, 409, 429].includes(answer);

const secondsIn = (delay: string): number => {
  const seconds = /^PT(\d+(?:\.\d+)?)S$/u.exec(delay)?.[1];
  if (seconds === undefined) throw new Error(`${delay} is not understood`);
  return Number(seconds);
};

const deliveryOf = ({ spec }: Trigger): Delivery => JSON.parse(JSON.stringify(spec.delivery));

/**
 * What Knative's Broker does with an event, as far as senders and functions see it: every Trigger whose filters let it pass has it sent to the
 * subscriber, all at once; one that fails for good goes to the dead-letter sink with what was answered. `urlOf` tells where a Knative Service of that name is.
 */
export class BrokerDouble {
  readonly attempts: Attempt[] = [];
  readonly #triggers: readonly Trigger[];
  readonly #urlOf: (service: string) => Promise<string>;

  constructor(triggers: readonly Trigger[], urlOf: (service: string) => Promise<string>) {
    this.#triggers = triggers;
    this.#urlOf = urlOf;
  }

  /** Ends when nobody is tried any more, as the Broker's ingress answers no earlier. */
  async take(event: BrokerEvent): Promise<void> {
    const woken = this.#triggers.filter((trigger) => wakes(trigger, event.attributes));
    await Promise.all(woken.map((trigger) => this.#deliver(trigger, event)));
  }

  async #deliver(trigger: Trigger, { attributes, body }: BrokerEvent): Promise<void> {
    const delivery = deliveryOf(trigger);
    const { name } = trigger.spec.subscriber.ref;
    const answer = await this.#send(name, { attributes, body }, delivery);
    if (answer !== "none" && answer < 300) return;
    const letter = {
      ...attributes,
      knativeerrordest: `http://${name}.${trigger.metadata.namespace ?? ""}.svc.cluster.local`,
      knativeerrorcode: answer === "none" ? "500" : `${answer}`,
      knativeerrordata: "",
    };
    await this.#send(delivery.deadLetterSink.ref.name, { attributes: letter, body }, delivery);
  }

  async #send(to: string, event: BrokerEvent, { retry, backoffDelay }: Delivery): Promise<Attempt["answer"]> {
    for (let tried = 0; ; tried += 1) {
      const answer = await this.#post(to, event);
      this.attempts.push({ to, answer });
      if (!isTriedAgain(answer) || tried >= retry) return answer;
      await wait((secondsIn(backoffDelay) * 1000 * 2 ** tried) / HURRY);
    }
  }

  async #post(to: string, { attributes, body }: BrokerEvent): Promise<Attempt["answer"]> {
    const headers = Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value]),
    );
    const request = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
    try {
      return (await fetch(await this.#urlOf(to), request)).status;
    } catch {
      return "none";
    }
  }
}
