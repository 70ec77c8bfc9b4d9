package dev.arenal.corpus.felix;

import dev.arenal.corpus.common.ClassPath;
import dev.arenal.corpus.felix.Models.Model;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;

/** The bundles that tenants share: libraries, and bundles that only export packages of models. */
final class Platform {
  private static final int FEWEST_MODELS = 3;
  private static final int MOST_MODELS = 12;
  private static final int MOST_FIELDS = 12;

  private final Server server;
  private final RandomGenerator random;
  private final List<Bundle> libraries = new ArrayList<>();
  private final List<Api> apis = new ArrayList<>();

  /** A bundle of models that others import; a newer version has more of them. */
  static final class Api {
    private final String packageName;
    private final List<Model> models = new ArrayList<>();
    private Bundle bundle;
    private int version;

    private Api(String packageName) {
      this.packageName = packageName;
    }

    String packageName() {
      return packageName;
    }

    List<Model> models() {
      return models;
    }

    Bundle bundle() {
      return bundle;
    }
  }

  Platform(Server server, RandomGenerator random) {
    this.server = server;
    this.random = random;
  }

  void installLibraries() throws BundleException {
    Set<String> artifacts = new LinkedHashSet<>();
    for (Feature feature : Feature.values()) {
      artifacts.addAll(feature.libraries());
    }
    for (String artifact : artifacts) {
      libraries.add(server.install(ClassPath.find(artifact)));
    }
    for (Bundle library : libraries) {
      library.start();
    }
  }

  void installApis(int count) throws BundleException {
    for (int i = 0; i < count; i++) {
      Api api = new Api("shop.api" + i);
      apis.add(api);
      addModels(api, random.nextInt(FEWEST_MODELS, MOST_MODELS));
      api.bundle = server.install(api.packageName, jar(api));
      api.bundle.start();
    }
  }

  /** A new version: those that use it keep the old one until a refresh. */
  void updateApi(int number) throws BundleException {
    Api api = apis.get(number);
    api.version++;
    addModels(api, 2);
    server.update(api.bundle, jar(api));
  }

  List<Api> apis() {
    return apis;
  }

  List<Bundle> libraries() {
    return libraries;
  }

  Bundle library(int number) {
    return libraries.get(number % libraries.size());
  }

  private void addModels(Api api, int count) {
    for (int i = 0; i < count; i++) {
      String name = api.packageName + ".Part" + api.models.size();
      api.models.add(Models.write(ClassDesc.of(name), random.nextInt(2, MOST_FIELDS), random));
    }
  }

  private static byte[] jar(Api api) {
    BundleMaker maker = new BundleMaker(api.packageName, api.version);
    maker.header("Export-Package", api.packageName + ";version=\"1." + api.version + "\"");
    for (Model model : api.models) {
      maker.addClass(model.type().packageName() + '.' + model.type().displayName(), model.bytes());
    }
    return maker.make();
  }
}
