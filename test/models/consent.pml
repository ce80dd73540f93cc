/*
 * Consent: code words, clipboards, the registry, connectors of several users, two pages, revocation and renewal.
 * Page 0 is an application. Page 1 is another site: it sends each code word that it made as often as it likes.
 * Connectors 0 and 1 belong to users 0 and 1. Program 2 belongs to user 1 and poses as a connector: it answers every request,
 * and reads the clipboard of its user. Assumed: browsers name the origin of a page, and the registry is the machine's.
 *
 * Invariants, by the names of their assertions:
 * own_word       An origin gets a consent only for a code word that one of its pages made.
 * one_consent    A code word gives one consent, whatever becomes of it.
 * own_connector  A page gets only a connector that has read the code word of its request on the clipboard of its own user,
 *                and that belongs to the user who asks, where the system tells who that is.
 * same_consent   What runs uses readers only while the consent holds with which it began.
 * own_consent    A stored consent that is valid is one of its origin, and holds.
 *
 * BY_ORIGIN: what runs asks whether its origin has a consent, not whether it is the same one.
 * UNPROVEN: the registry believes a connector without a proof. REUSED: code words work more than once.
 * UNBOUND: a challenge does not cover the origin. ANY_ORIGIN: a stored consent is valid for every page.
 * A comment "code:" names the function that a step stands for.
 */
#define PAGES 2
#define AGENTS 3
#define POSER 2
#ifndef WORDS
#define WORDS 3         /* code words that pages make at most */
#endif
#ifndef CONSENTS
#define CONSENTS 3      /* consents at most */
#endif
#define NONE 0
#define UNKNOWN_USER 2
#define FORGED 8        /* a consent that the poser made up, without a proof */
#define PROVEN 9        /* one with a proof */

typedef Request { byte word; byte user; byte granted[AGENTS] }      /* no word: none is under way */
typedef Consent { byte origin; byte agent; byte word; bool holds }

byte words;                     /* made so far; a word is its number */
byte maker[WORDS + 1];          /* the page that made it */
byte clipboard[2];              /* of each user; NONE: something else */
Request request[PAGES];
Consent consent[CONSENTS + 1];  /* an id is the index, from 1 */
byte consents;                  /* given so far */
byte stored[PAGES];             /* the consent that a page keeps */
bool runs;                      /* an operation of page 0, with a PIN that is kept for it */
byte begun_with;
byte i, found, proven, chosen;

#define user_of(an_agent) ((an_agent) == POSER -> 1 : (an_agent))
#define is_asked(page, an_agent) (request[page].user == UNKNOWN_USER || request[page].user == user_of(an_agent))

/* code: connector/src/registry/agent-directory.ts createAgentDirectory */
/* code: connector/src/registry/consent-broker.ts createConsentBroker */
inline send(page, a_word, a_user) {
  request[page].word = a_word;
  if
  :: page == 0 -> request[page].user = a_user
  :: request[page].user = UNKNOWN_USER
  fi;
  request[page].granted[0] = NONE; request[page].granted[1] = NONE; request[page].granted[POSER] = NONE
}

/* A user clicks: the page makes a code word, copies and sends it. The system may not tell whose browser that is. */
/* code: client/src/code-word.ts newCodeWord */
/* code: client/src/code-word.ts copyCodeWord */
/* code: client/src/consent.ts createConsentFlow */
inline click(page, a_user) {
  words++;
  maker[words] = page; clipboard[a_user] = words;
  send(page, words, a_user)
}

/* code: connector/src/user/consent/issue-consent.ts issueOnce */
/* code: connector/src/user/consent/consent-store.ts createConsentStore */
inline issue(page, an_agent, a_word) {
  found = NONE;
  for (i : 1 .. CONSENTS) {
    if
    :: consent[i].word == a_word && consent[i].agent == an_agent -> found = i
    :: else
    fi
  }
  if
#ifdef REUSED
  :: consents < CONSENTS ->
#else
  :: found != NONE && consent[found].holds && consent[found].origin == page -> skip    /* repeated soon */
  :: found != NONE -> found = NONE
  :: found == NONE && consents < CONSENTS ->
#endif
     assert(found == NONE);                                                /* one_consent */
     assert(maker[a_word] == page);                                        /* own_word */
     consents++; found = consents;
     consent[found].origin = page; consent[found].agent = an_agent; consent[found].word = a_word;
     consent[found].holds = true
  :: found == NONE && consents == CONSENTS -> skip
  fi
}

/* A connector compares the challenge with its clipboard, whenever it comes to it. */
/* code: connector/src/user/consent/clipboard-consent-service.ts handleAgentRequest */
/* code: connector/src/user/consent/grant-by-clipboard.ts createClipboardGrant */
/* code: connector/src/user/consent/challenge.ts createChallenge */
inline answer(page, an_agent) {
  if
  :: an_agent != POSER && clipboard[user_of(an_agent)] == request[page].word ->
     issue(page, an_agent, request[page].word);
     request[page].granted[an_agent] = found
  :: an_agent == POSER && clipboard[1] == request[page].word -> request[page].granted[POSER] = PROVEN
  :: an_agent == POSER && clipboard[1] != request[page].word -> request[page].granted[POSER] = FORGED
  :: an_agent != POSER && clipboard[user_of(an_agent)] != request[page].word -> skip
  fi
}

/* A program that has seen the challenge for page 0 sends it to a connector, in the name of page 1. */
/* code: connector/src/user/consent/challenge.ts isSameHmac */
inline repeat_challenge(an_agent) {
#ifdef UNBOUND
  if
  :: clipboard[an_agent] == request[0].word -> issue(1, an_agent, request[0].word)
  :: else
  fi
#else
  skip
#endif
}

#ifdef UNPROVEN
#define counts(grant) (grant != NONE)
#else
#define counts(grant) (grant != NONE && grant != FORGED)
#endif

/* The registry has all answers, or waits no longer. */
/* code: connector/src/registry/consent-broker.ts createConsentBroker */
/* code: connector/src/user/consent/challenge.ts createProof */
/* code: client/src/consent-storage.ts openConsentStorage */
inline conclude(page) {
  proven = 0; chosen = NONE;
  for (i : 0 .. AGENTS - 1) {
    if
    :: counts(request[page].granted[i]) -> proven++; chosen = i
    :: else
    fi
  }
  if
  :: proven == 1 ->
     assert(request[page].granted[chosen] != FORGED && is_asked(page, chosen));   /* own_connector */
     stored[page] = request[page].granted[chosen]
  :: else
  fi;
  request[page].word = NONE; request[page].user = 0;
  request[page].granted[0] = NONE; request[page].granted[1] = NONE; request[page].granted[POSER] = NONE
}

/* The page presents what it keeps: the connector that made it looks whether it holds. */
/* code: connector/src/user/consent/verify-consents.ts createConsentVerifier */
/* code: connector/src/user/consent/consent-token.ts isSignedBy */
#ifdef ANY_ORIGIN
#define is_of(page) true
#else
#define is_of(page) (consent[stored[page]].origin == page)
#endif
inline validate(page) {
  if
  :: stored[page] <= CONSENTS && consent[stored[page]].holds && is_of(page) ->
     assert(maker[consent[stored[page]].word] == page)                     /* own_consent */
  :: else -> stored[page] = NONE
  fi
}

/* The active consent of an origin in a connector that was given last. */
/* code: connector/src/user/consent/active-consents.ts findLatest */
inline find_latest(an_agent, an_origin) {
  found = NONE;
  for (i : 1 .. CONSENTS) {
    if
    :: consent[i].holds && consent[i].agent == an_agent && consent[i].origin == an_origin -> found = i
    :: else
    fi
  }
}

/* code: connector/src/api/authorize.ts authorizePage */
inline begin(an_agent) {
  find_latest(an_agent, 0);
  if
  :: found != NONE -> runs = true; begun_with = found
  :: else
  fi
}

/* code: connector/src/api/access-watch.ts findRevocation */
/* code: connector/src/api/access-watch.ts requireAccess */
inline use() {
#ifdef BY_ORIGIN
  find_latest(consent[begun_with].agent, 0);
#else
  found = (consent[begun_with].holds -> begun_with : NONE);
#endif
  if
  :: found != NONE -> assert(consent[begun_with].holds)                   /* same_consent */
  :: else -> runs = false; begun_with = NONE
  fi
}

/* The user revokes, or the consents expire. */
/* code: connector/src/user/consent/consent-store.ts revoke */
inline revoke(an_agent, an_origin) {
  for (i : 1 .. CONSENTS) {
    if
    :: consent[i].agent == an_agent && consent[i].origin == an_origin -> consent[i].holds = false
    :: else
    fi
  }
}

#define clean found = NONE; proven = 0; chosen = NONE; i = 0     /* fewer states */

init {
  byte page, agent;
  do
  :: atomic { page = 0; agent = 0;
       if
       :: true
       :: page = 1
       fi;
       if
       :: true
       :: agent = 1
       :: agent = POSER
       fi;
       if
       :: agent != POSER && words < WORDS -> click(page, agent)
       :: page == 1 && agent != POSER ->                                   /* a word of before, without a click */
          if
          :: words > 0 && maker[1] == 1 -> send(1, 1, agent)
          :: words > 1 && maker[2] == 1 -> send(1, 2, agent)
          :: words > 2 && maker[3] == 1 -> send(1, 3, agent)
          :: else
          fi
       :: page == 0 && request[0].word != NONE && agent != POSER -> send(0, request[0].word, agent)   /* repeated */
       :: request[page].word != NONE && is_asked(page, agent) && request[page].granted[agent] == NONE ->
          answer(page, agent)
       :: request[0].word != NONE && agent != POSER && page == 1 -> repeat_challenge(agent)
       :: request[page].word != NONE && agent == 0 -> conclude(page)
       :: stored[page] != NONE && agent == 0 -> validate(page)
       :: page == 1 && agent == 0 && stored[0] != NONE -> stored[1] = stored[0]    /* page 1 has got hold of it */
       :: !runs && agent != POSER && page == 0 -> begin(agent)
       :: runs && page == 0 && agent == 0 -> use()
       :: agent != POSER -> revoke(agent, page)
       :: agent != POSER -> clipboard[agent] = NONE                        /* the user copies something else */
       :: agent != POSER -> clipboard[agent] = clipboard[1 - agent]        /* one clipboard for both, as remote desktops have */
       :: else
       fi;
       page = 0; agent = 0; clean }
  od
}
