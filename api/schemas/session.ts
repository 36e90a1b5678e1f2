import { z } from 'zod';
import { NamedCustomer, NamedProvider, named, time } from '../../core/schemas.ts';
import { filledLine } from './values.ts';

export const Session = named('Session', {
  role: z.enum(['operator', 'staff', 'customer']),
  name: z.string().describe('The name of the token.'),
  provider: NamedProvider.nullable(),
  customer: NamedCustomer.nullable(),
  expires_at: time(),
  token_expires_at: time().describe('When the token behind the session expires.'),
});

export const SignIn = z.object({ token: filledLine() });
