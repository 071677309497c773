// Calls of a wire as plain methods, derived from the definition: a new call is a new method, with nothing written for it.
import { z } from 'zod'
import type { WireClient } from './client'
import { type CallName, type CallSpec, call, type ParamsOf, type WireSpec } from './define'

/** A call whose parameters have an order, so that it can be a method with arguments. */
export interface OrderedCallSpec<
  O extends readonly string[] = readonly string[],
  S extends z.ZodRawShape = z.ZodRawShape,
  R extends z.ZodType = z.ZodType,
> extends CallSpec<z.ZodObject<S>, R> {
  /** Names of the parameters as the method takes them. Those with a default may be left out, from the last one on. */
  readonly order: O
}

/** Declares a call of a worker that is also a method. @param order every name of `shape`, once */
export function ordered<const O extends readonly (keyof S & string)[], S extends z.ZodRawShape, R extends z.ZodType>(
  order: O & Whole<S, O>,
  shape: S,
  result: R,
): OrderedCallSpec<O, S, R> {
  return { ...call(z.object(shape), result), order }
}

/** `never` while a name of the shape has no place in the order. */
type Whole<S, O extends readonly string[]> = Exclude<keyof S & string, O[number]> extends never ? unknown : never
/** An array is taken read-only. */
type Given<T> = T extends (infer U)[] ? readonly U[] : T
type Arguments<S, O> = O extends readonly [infer N extends keyof S, ...infer Rest]
  ? undefined extends z.input<S[N]>
    ? [argument?: Given<z.input<S[N]>>, ...rest: Arguments<S, Rest>]
    : [argument: Given<z.input<S[N]>>, ...rest: Arguments<S, Rest>]
  : []
type MethodArguments<C extends CallSpec> =
  C extends OrderedCallSpec<infer O, infer S> ? Arguments<S, O> : [params: z.input<C['params']>]
type MethodName<N, P extends string> = N extends `${P}${infer Rest}` ? Uncapitalize<Rest> : never

/** One method for each call; `chain.p2pBodies` behind the prefix `chain.p2p` is `bodies`. */
export type Forwarded<C extends Readonly<Record<string, CallSpec>>, P extends string> = {
  readonly [N in keyof C as MethodName<N, P>]: (...given: MethodArguments<C[N]>) => Promise<z.output<C[N]['result']>>
}

/**
 * Methods that ask over a wire. A call without an order takes its parameters as one object.
 * @param client asked at each call; what it throws is the call's rejection
 * @param prefix that every name of `calls` begins with
 */
export function forward<W extends WireSpec, C extends Readonly<Record<string, CallSpec>>, P extends string>(
  client: () => Pick<WireClient<W>, 'call'>,
  calls: C,
  prefix: P,
): Forwarded<C, P> {
  const methods = Object.entries(calls).map(([name, spec]) => {
    const behind = name.slice(prefix.length)
    const method = async (...given: readonly unknown[]) =>
      client().call(name as CallName<W>, paramsOf(spec, given) as ParamsOf<W, CallName<W>>)
    return [`${behind.charAt(0).toLowerCase()}${behind.slice(1)}`, method]
  })
  return Object.fromEntries(methods)
}

function paramsOf(spec: CallSpec, given: readonly unknown[]): unknown {
  if (!('order' in spec)) return given[0]
  const { order } = spec as OrderedCallSpec
  return Object.fromEntries(order.map((name, index) => [name, given[index]]))
}
