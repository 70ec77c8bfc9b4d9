package dev.arenal.corpus.felix;

import dev.arenal.corpus.felix.Models.Model;
import dev.arenal.corpus.felix.Platform.Api;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.ServiceReference;

/** The tenants of a server: a bundle for each, deployed, updated, used and undeployed. */
final class Tenants {
  private static final double EMBEDS = 0.35;
  private static final int MOST_FEATURES = 3;
  private static final int MOST_APIS = 4;
  private static final int FEWEST_MODELS = 3;
  private static final int MOST_MODELS = 20;
  private static final int MOST_FIELDS = 25;
  private static final int MODELS_PER_SERVICE = 6;
  private static final String IMPORTS = "org.osgi.framework";

  private final Server server;
  private final Platform platform;
  private final RandomGenerator random;
  private final List<Tenant> tenants = new ArrayList<>();
  private int named;

  /** A tenant: its features stay the same, its models and services differ between versions. */
  private static final class Tenant {
    final String name;
    final Set<Feature> features;
    final boolean embeds;
    Bundle bundle;
    int version;

    Tenant(String name, Set<Feature> features, boolean embeds) {
      this.name = name;
      this.features = features;
      this.embeds = embeds;
    }
  }

  Tenants(Server server, Platform platform, RandomGenerator random) {
    this.server = server;
    this.platform = platform;
    this.random = random;
  }

  int size() {
    return tenants.size();
  }

  void deploy() throws BundleException {
    EnumSet<Feature> features = EnumSet.noneOf(Feature.class);
    int count = random.nextInt(1, MOST_FEATURES + 1);
    for (int i = 0; i < count; i++) {
      features.add(Feature.values()[random.nextInt(Feature.values().length)]);
    }
    Tenant tenant = new Tenant("tenant" + named++, features, random.nextDouble() < EMBEDS);
    tenant.bundle = server.install(tenant.name, jar(tenant));
    tenant.bundle.start();
    tenants.add(tenant);
  }

  void update(int number) throws BundleException {
    Tenant tenant = tenants.get(number);
    tenant.version++;
    server.update(tenant.bundle, jar(tenant));
  }

  void undeploy(int number) throws BundleException {
    tenants.remove(number).bundle.uninstall();
  }

  /** Calls all services of a tenant. */
  int request(int number, int request) {
    Bundle bundle = tenants.get(number).bundle;
    ServiceReference<?>[] references = bundle.getRegisteredServices();
    int sum = 0;
    for (int i = 0; references != null && i < references.length; i++) {
      BundleContext context = server.context();
      sum +=
          switch (context.getService(references[i])) {
            case IntFunction<?> feature -> String.valueOf(feature.apply(request)).length();
            case IntUnaryOperator service -> service.applyAsInt(request);
            default -> 0;
          };
      context.ungetService(references[i]);
    }
    return sum;
  }

  private byte[] jar(Tenant tenant) {
    BundleMaker maker = new BundleMaker(tenant.name, tenant.version);
    Set<String> imports = new LinkedHashSet<>(Set.of(IMPORTS));
    Set<String> path = new LinkedHashSet<>(Set.of("."));
    List<String> features = new ArrayList<>();
    maker.header("Bundle-Activator", Feature.OURS + ".Activator");
    maker.addOurs(Feature.OURS + ".Activator");
    for (Feature feature : tenant.features) {
      maker.addOurs(feature.className());
      features.add(feature.className());
      if (tenant.embeds) {
        feature.libraries().forEach(artifact -> path.add(maker.embed(artifact)));
      } else {
        imports.addAll(feature.packages());
      }
    }
    maker.header("Shop-Features", String.join(",", features));
    maker.header("Shop-Services", String.join(",", addServices(maker, tenant, imports)));
    maker.header("Bundle-ClassPath", String.join(",", path));
    maker.header("Import-Package", String.join(",", imports));
    return maker.make();
  }

  private List<String> addServices(BundleMaker maker, Tenant tenant, Set<String> imports) {
    List<Model> models = new ArrayList<>();
    int apis = random.nextInt(MOST_APIS);
    for (int i = 0; i < apis; i++) {
      Api api = platform.apis().get(random.nextInt(platform.apis().size()));
      if (imports.add(api.packageName())) {
        models.addAll(api.models());
      }
    }
    int own = random.nextInt(FEWEST_MODELS, MOST_MODELS);
    for (int i = 0; i < own; i++) {
      String name = tenant.name + ".model.Entity" + i;
      Model model = Models.write(ClassDesc.of(name), random.nextInt(2, MOST_FIELDS), random);
      maker.addClass(name, model.bytes());
      models.add(model);
    }
    List<String> services = new ArrayList<>();
    for (int from = 0; from < models.size(); from += MODELS_PER_SERVICE) {
      String name = tenant.name + ".service.Service" + services.size();
      int to = Math.min(from + MODELS_PER_SERVICE, models.size());
      maker.addClass(name, Services.write(ClassDesc.of(name), models.subList(from, to), random));
      services.add(name);
    }
    return services;
  }
}
